package dev.stint.server.config;

import dev.stint.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads limits as the file has them, each with an algorithm that may be said for all of them.
 *
 * <p>A mistake is thrown as a {@link Slip} at the character that is wrong.
 */
final class LimitText {

  private static final Pattern RATE = Pattern.compile("[^,;|]+");
  private static final Pattern COLUMN = Pattern.compile("( must stand)? at column (\\d+)");
  private static final Pattern COLUMN_FIRST = Pattern.compile("^at column (\\d+): ");

  private LimitText() {}

  /**
   * The limits of a text such as {@code 100/minute; 5000/day}.
   *
   * @param kind the algorithm of those limits that do not name their own
   */
  static List<Limit> readAll(String text, Limit.Kind kind) {
    List<Limit> limits;
    try {
      limits = Limit.parseAll(text);
    } catch (IllegalArgumentException e) {
      throw slip(e, 0);
    }
    if (kind == Limit.Kind.TOKEN_BUCKET) {
      return limits;
    }
    List<Limit> changed = new ArrayList<>();
    Matcher rates = RATE.matcher(text);
    for (Limit limit : limits) {
      boolean found = rates.find();
      changed.add(
          found && isSilent(rates.group(), limit)
              ? read(rates.group() + " " + kind.word(), -rates.start())
              : limit);
    }
    return changed;
  }

  /** Whether a rate does not name its algorithm: another one could still be added. */
  private static boolean isSilent(String rate, Limit limit) {
    if (limit.kind() != Limit.Kind.TOKEN_BUCKET) {
      return false;
    }
    try {
      return Limit.parse(rate + " " + Limit.Kind.TOKEN_BUCKET.word()).equals(limit);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** One limit, from a text that has so many characters more at its start than the file. */
  static Limit read(String text, int added) {
    try {
      return Limit.parse(text);
    } catch (IllegalArgumentException e) {
      throw slip(e, added);
    }
  }

  /** The same mistake, telling the place as an index in place of a column in the sentence. */
  private static Slip slip(IllegalArgumentException mistake, int added) {
    String message = String.valueOf(mistake.getMessage());
    int excerpt = message.lastIndexOf("\": ");
    String reason = message.substring(excerpt < 0 ? 0 : excerpt + 3);
    Matcher first = COLUMN_FIRST.matcher(reason);
    if (first.find()) {
      return new Slip(index(first.group(1), added), reason.substring(first.end()));
    }
    Matcher column = COLUMN.matcher(reason);
    if (!column.find()) {
      return new Slip(0, reason);
    }
    String stands = column.group(1) == null ? "" : " must stand here";
    return new Slip(
        index(column.group(2), added),
        reason.substring(0, column.start()) + stands + reason.substring(column.end()));
  }

  private static int index(String column, int added) {
    return Integer.parseInt(column) - 1 - added;
  }
}
