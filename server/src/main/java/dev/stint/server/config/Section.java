package dev.stint.server.config;

import dev.stint.Spelling;
import dev.stint.server.config.Yaml.Entries;
import dev.stint.server.config.Yaml.Entry;
import dev.stint.server.config.Yaml.Items;
import dev.stint.server.config.Yaml.Scalar;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A map of the file with a fixed set of names. What is wrong in it is noted, and stands as if it
 * had not been given, so that reading goes on to the next mistake.
 */
final class Section {

  private final String what;
  private final Place place;
  private final Mistakes mistakes;
  private final Map<String, Entry> entries;

  private Section(String what, Place place, Mistakes mistakes, Map<String, Entry> entries) {
    this.what = what;
    this.place = place;
    this.mistakes = mistakes;
    this.entries = entries;
  }

  /** How a single value is read; a mistake is thrown as an {@link IllegalArgumentException}. */
  interface Reader<T> {
    T read(String text);
  }

  /**
   * Opens a map that may have these names only.
   *
   * @param what its own name, for messages
   */
  static Section of(String what, Yaml yaml, Mistakes mistakes, List<String> names) {
    Map<String, Entry> known = new LinkedHashMap<>();
    for (Entry entry : unique(what, yaml, mistakes)) {
      String name = entry.name().text();
      if (names.contains(name)) {
        known.put(name, entry);
      } else {
        mistakes.add(
            entry.name().place(),
            "unknown word "
                + Quote.of(name)
                + " in "
                + what
                + Spelling.hint(name, names, "; the words are: " + String.join(", ", names)));
      }
    }
    return new Section(what, yaml.place(), mistakes, known);
  }

  /** The entries of a map that may have any names, each once. */
  static List<Entry> unique(String what, Yaml yaml, Mistakes mistakes) {
    if (!(yaml instanceof Entries map)) {
      mistakes.add(yaml.place(), what + " must be a map, was " + yaml.kind());
      return List.of();
    }
    Map<String, Entry> first = new LinkedHashMap<>();
    for (Entry entry : map.all()) {
      Entry before = first.putIfAbsent(entry.name().text(), entry);
      if (before != null) {
        mistakes.add(
            entry.name().place(),
            Quote.of(entry.name().text())
                + " must be given once, was given before at line "
                + before.name().place().line()
                + "; remove one");
      }
    }
    return List.copyOf(first.values());
  }

  Place place() {
    return place;
  }

  boolean has(String name) {
    return entries.containsKey(name);
  }

  /** The value of this name; null if there is none. */
  @Nullable Yaml find(String name) {
    Entry entry = entries.get(name);
    return entry == null ? null : entry.value();
  }

  /** Where the name stands, or else the section. */
  Place placeOf(String name) {
    Entry entry = entries.get(name);
    return entry == null ? place : entry.name().place();
  }

  void wrong(Place where, String sentence) {
    mistakes.add(where, sentence);
  }

  void wrong(String name, String sentence) {
    wrong(placeOf(name), sentence);
  }

  void missing(String name, String example) {
    wrong(place, what + " must have the word '" + name + "', such as " + example);
  }

  /** A single value, if it is given and right. */
  <T> Optional<T> read(String name, Reader<T> reader) {
    Yaml yaml = find(name);
    return yaml == null ? Optional.empty() : read(name, yaml, mistakes, reader);
  }

  static <T> Optional<T> read(String name, Yaml yaml, Mistakes mistakes, Reader<T> reader) {
    if (!(yaml instanceof Scalar scalar) || scalar.isNothing()) {
      mistakes.add(
          yaml.place(),
          name + " must be a single value, was " + yaml.kind() + "; add it or remove the word");
      return Optional.empty();
    }
    try {
      return Optional.of(reader.read(scalar.text()));
    } catch (Slip slip) {
      mistakes.add(scalar.at(slip.index()), String.valueOf(slip.getMessage()));
    } catch (IllegalArgumentException e) {
      mistakes.add(scalar.place(), name + " " + e.getMessage());
    }
    return Optional.empty();
  }

  // ---- kinds of values
  // ---------------------------------------------------------------------------

  Optional<String> text(String name) {
    return read(name, text -> text);
  }

  boolean flag(String name, boolean otherwise) {
    return readPlain(name, Scalars::flag).orElse(otherwise);
  }

  Optional<Long> number(String name, long least, long most) {
    return readPlain(name, text -> Scalars.number(text, least, most));
  }

  long number(String name, long otherwise, long least, long most) {
    return number(name, least, most).orElse(otherwise);
  }

  /** In quotes it would be a text, not a number and not a truth. */
  private <T> Optional<T> readPlain(String name, Reader<T> reader) {
    if (find(name) instanceof Scalar scalar && scalar.isQuoted()) {
      wrong(scalar.place(), name + " must stand without quotes; remove them");
      return Optional.empty();
    }
    return read(name, reader);
  }

  int number(String name, int otherwise, int least, int most) {
    return Math.toIntExact(number(name, (long) otherwise, least, most));
  }

  int size(String name, int otherwise, int least, int most) {
    return read(name, text -> Scalars.size(text, least, most)).orElse(otherwise);
  }

  Duration duration(String name, Duration otherwise, Duration least, Duration most) {
    return read(name, text -> Scalars.duration(text, least, most)).orElse(otherwise);
  }

  <T> Optional<T> choice(String name, Map<String, T> choices) {
    return read(name, text -> Scalars.choice(text, choices));
  }

  /** The items of a list; none if it is absent or no list. */
  List<Yaml> items(String name) {
    Yaml yaml = find(name);
    if (yaml == null) {
      return List.of();
    }
    if (!(yaml instanceof Items items)) {
      wrong(yaml.place(), name + " must be a list, was " + yaml.kind());
      return List.of();
    }
    return items.all();
  }
}
