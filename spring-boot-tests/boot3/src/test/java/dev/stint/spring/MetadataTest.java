package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.http.PatternSyntax;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Every property is described, with its default, for IDEs and on the page. */
class MetadataTest {

  private final Metadata metadata = Metadata.read();

  /** One component of our records as a property. */
  private record Property(String name, Class<?> type, List<String> defaults) {}

  private static List<Property> all() {
    List<Property> all = new ArrayList<>();
    add("stint.", StintProperties.class, all);
    add("stint.rules.*.", StintProperties.Rule.class, all);
    return all;
  }

  private static void add(String prefix, Class<?> type, List<Property> all) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    for (int i = 0; i < types.length; i++) {
      String name = prefix + dashed(type.getRecordComponents()[i].getName());
      if (types[i].isRecord()) {
        add(name + ".", types[i], all);
      } else {
        all.add(new Property(name, types[i], defaults(type, types, i)));
      }
    }
  }

  private static List<String> defaults(Class<?> type, Class<?>[] types, int index) {
    try {
      DefaultValue value =
          type.getDeclaredConstructor(types)
              .getParameters()[index]
              .getAnnotation(DefaultValue.class);
      return value == null ? List.of() : List.of(value.value());
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  private static String dashed(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  @Test
  void every_property_is_there_and_no_other() {
    assertThat(metadata.properties().keySet())
        .containsExactlyInAnyOrderElementsOf(all().stream().map(Property::name).toList());
  }

  @Test
  void every_property_has_a_description_that_is_a_sentence() {
    metadata
        .properties()
        .forEach(
            (name, property) ->
                assertThat((String) property.get("description")).as(name).matches("[A-Z].+\\."));
  }

  @Test
  void every_property_that_has_a_default_tells_it() {
    for (Property property : all()) {
      Object told = metadata.properties().get(property.name()).get("defaultValue");
      List<String> defaults = property.defaults();
      assertThat(told == null ? List.of() : List.of(String.valueOf(told)))
          .as(property.name())
          .isEqualTo(defaults);
    }
  }

  @Test
  void every_choice_that_has_proposals_proposes_all_of_it() {
    for (Property property : all()) {
      List<String> proposals = metadata.proposals(property.name());
      if (property.type().isEnum() && !proposals.isEmpty()) {
        assertThat(proposals)
            .as(property.name())
            .containsExactlyInAnyOrderElementsOf(
                Arrays.stream(property.type().getEnumConstants())
                    .map(constant -> dashed(constant.toString().toLowerCase(Locale.ROOT)))
                    .toList());
      }
    }
  }

  @Test
  void what_a_rule_counts_by_is_proposed_in_words_that_can_be_read() {
    Rules rules =
        new Rules(Map.of(), null, PatternSyntax.SEGMENTS, new StaticListableBeanFactory());
    List<String> proposals = metadata.proposals("stint.rules.*.by");
    assertThat(proposals).isNotEmpty();
    for (String words : proposals) {
      assertThat(rules.source("by", words)).isNotNull();
    }
  }

  @Test
  void the_page_has_every_property_with_its_default_and_description() throws Exception {
    List<String> rows = new ArrayList<>();
    metadata.properties().values().forEach(property -> rows.add(row(property)));
    List<String> page = Files.readAllLines(Path.of("../../docs/spring-boot.md"));
    assertThat(
            page.stream()
                .dropWhile(line -> !line.equals("## All properties"))
                .filter(line -> line.startsWith("| `"))
                .toList())
        .isEqualTo(rows);
  }

  private static String row(Map<String, Object> property) {
    Object usual = property.get("defaultValue");
    return "| `"
        + property.get("name")
        + "` | "
        + (usual == null ? "" : "`" + usual + "` ")
        + "| "
        + ((String) property.get("description")).replace("|", "\\|")
        + " |";
  }
}
