package dev.stint.spring;

import dev.stint.Spelling;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/** The names under {@code stint}, to say which one was meant. */
final class KnownProperties {

  private KnownProperties() {}

  /** The end of a sentence about a property that does not exist: the nearest that does. */
  static String hint(ConfigurationPropertyName unknown) {
    Class<?> type = StintProperties.class;
    for (int i = 1; i < unknown.getNumberOfElements(); i++) {
      String parent = unknown.chop(i) + ".";
      String word = unknown.getElement(i, Form.DASHED);
      Optional<RecordComponent> found = find(type, unknown.getElement(i, Form.UNIFORM));
      if (found.isEmpty()) {
        return near(type, parent, word);
      }
      Class<?> next = found.get().getType();
      if (next == Map.class) {
        i++; // the name of a rule is free
        next = StintProperties.Rule.class;
      }
      if (!next.isRecord()) {
        return "; " + unknown.chop(i + 1) + " has no properties of its own";
      }
      type = next;
    }
    return "; it must have one of " + names(type);
  }

  private static Optional<RecordComponent> find(Class<?> type, String uniform) {
    return Arrays.stream(type.getRecordComponents())
        .filter(component -> component.getName().toLowerCase(Locale.ROOT).equals(uniform))
        .findFirst();
  }

  private static String near(Class<?> type, String parent, String word) {
    List<String> names = names(type);
    String nearest = Spelling.nearest(word, names);
    return nearest.isEmpty()
        ? "; under " + parent.substring(0, parent.length() - 1) + " there are " + names
        : "; did you mean '" + parent + nearest + "'?";
  }

  private static List<String> names(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .map(component -> component.getName().replaceAll("([A-Z])", "-$1"))
        .map(name -> name.toLowerCase(Locale.ROOT))
        .sorted()
        .toList();
  }
}
