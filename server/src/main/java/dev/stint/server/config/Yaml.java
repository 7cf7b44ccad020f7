package dev.stint.server.config;

import java.util.List;
import java.util.Set;

/** What stands in a YAML file, with its place. */
sealed interface Yaml {

  Place place();

  /** What it is, for a message; never its text, which may be a secret. */
  String kind();

  /**
   * A single value.
   *
   * @param inset from the place to the first character of the text: 1 if it is in quotes
   * @param exact whether a character of the text is a character of the line
   */
  record Scalar(Place place, String text, boolean isQuoted, int inset, boolean exact)
      implements Yaml {

    private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");

    /** Whether nothing was written, or that it is nothing. */
    boolean isNothing() {
      return !isQuoted && NOTHING.contains(text);
    }

    /** The place of a character of the text. */
    Place at(int index) {
      return exact ? place.right(inset + Math.max(0, Math.min(index, text.length()))) : place;
    }

    @Override
    public String kind() {
      return isNothing() ? "nothing" : "a single value";
    }
  }

  /** Values one after the other. */
  record Items(Place place, List<Yaml> all) implements Yaml {
    @Override
    public String kind() {
      return "a list";
    }
  }

  /** Values by name, as they stand in the file: a name may still be there twice. */
  record Entries(Place place, List<Entry> all) implements Yaml {
    @Override
    public String kind() {
      return "a map";
    }
  }

  /** A value with its name. */
  record Entry(Scalar name, Yaml value) {}
}
