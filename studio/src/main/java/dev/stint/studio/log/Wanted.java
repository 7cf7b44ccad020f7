package dev.stint.studio.log;

import dev.stint.Spelling;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is taken from every line.
 *
 * @param time the field of the time; null for the one that the format has for it
 * @param by the fields that tell clients apart, each a word that {@link Names} knows or a name that
 *     the log has
 * @param cost the field of the cost; null if every request costs 1
 */
record Wanted(@Nullable String time, List<String> by, @Nullable String cost) {

  /** The most that a request may cost. */
  static final long MOST = 1_000_000_000;

  static final String COST = "cost must be a whole number from 1 to 1,000,000,000";

  String clients() {
    return "clients by " + String.join(" and ", by);
  }

  /**
   * Which of these fields it is.
   *
   * @throws IllegalArgumentException with a whole sentence
   */
  static int index(String name, List<String> fields) {
    int index = fields.indexOf(name);
    if (index < 0) {
      throw unknown(name, fields);
    }
    return index;
  }

  static IllegalArgumentException unknown(String name, List<String> fields) {
    return new Unknown(name, fields);
  }

  /** A cost, or 0 if it is none. */
  static long cost(byte[] b, int from, int to) {
    long cost = 0;
    for (int i = from; i < to; i++) {
      if (b[i] < '0' || b[i] > '9' || cost > MOST) {
        return 0;
      }
      cost = cost * 10 + b[i] - '0';
    }
    return cost > MOST ? 0 : cost;
  }

  /** There is no such field. */
  static final class Unknown extends IllegalArgumentException {

    private static final long serialVersionUID = 1;
    private static final int MOST_NAMES = 20;
    private static final int SHOWN = 30;

    private final String name;

    private Unknown(String name, List<String> fields) {
      super(
          "a field must be one that the log has ("
              + list(fields)
              + "): '"
              + name
              + "'"
              + Clients.shown(Spelling.hint(name, fields, ""), 2 * SHOWN));
      this.name = name;
    }

    /** The names were written by somebody else, and there may be any number of them. */
    private static String list(List<String> fields) {
      String some =
          fields.stream()
              .limit(MOST_NAMES)
              .map(field -> Clients.shown(field, SHOWN))
              .collect(Collectors.joining(", "));
      int more = fields.size() - MOST_NAMES;
      return more > 0 ? some + " and " + more + " more" : some;
    }

    /** The same without what the log has: where the line of names is missing, that is a request. */
    String withoutNames() {
      return "a field must be one that the log has: '" + name + "'";
    }
  }
}
