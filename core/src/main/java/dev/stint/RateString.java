package dev.stint;

import dev.stint.Limit.Kind;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * The text form of limits: {@code 100/minute burst 20}, {@code 1 per 2 hours sliding-log; 100/day}.
 *
 * <pre>
 * rates  = rate { ("," | ";" | "|") rate }
 * rate   = [count] ("per" | "/") [n] unit { option }  |  count "total" { option }
 * option = "burst" capacity  |  "counting-denied"  |  "named" name  |  algorithm
 * </pre>
 *
 * <p>An absent count or n is 1. Options come in any order, each at most once; without an algorithm
 * it is a token bucket. {@code total} makes a quota, which has neither a burst nor an algorithm.
 * Case matters in names only. A month is 30 days and a year 365; microseconds are a unit so that
 * every limit has a text form.
 *
 * <p>{@link #format} prints what {@link #parse} reads back as an equal limit.
 */
final class RateString {
  /** What {@link Limit} takes at most; checked here to tell the column, and not to overflow. */
  private static final long LONGEST_WINDOW = 50 * RateUnit.YEAR.micros;

  private static final String UNITS_LISTED = "; units are " + RateUnit.listed();

  private final RateCursor in;

  private RateString(String text) {
    if (text == null) {
      throw new IllegalArgumentException(
          "rate string must be a text such as \"10/minute\", was null");
    }
    in = new RateCursor(text);
  }

  static Limit parse(String text) {
    return new RateString(text).one();
  }

  static List<Limit> parseAll(String text) {
    return new RateString(text).all();
  }

  /** Prints a limit with the largest unit its window is a whole number of, weeks at most. */
  static String format(Limit limit) {
    StringBuilder text = new StringBuilder().append(limit.amount());
    if (limit.kind() == Kind.QUOTA) {
      text.append(" total");
    } else {
      appendWindow(text, limit.window());
    }
    if (limit.kind() != Kind.TOKEN_BUCKET && limit.kind() != Kind.QUOTA) {
      text.append(' ').append(limit.kind().word());
    }
    if (limit.capacity() != limit.amount()) {
      text.append(" burst ").append(limit.capacity());
    }
    if (limit.countsDenied()) {
      text.append(" counting-denied");
    }
    if (!limit.name().isEmpty()) {
      text.append(" named ").append(limit.name());
    }
    return text.toString();
  }

  private static void appendWindow(StringBuilder text, Duration window) {
    long micros = window.toSeconds() * RateUnit.SECOND.micros + window.toNanosPart() / 1_000;
    RateUnit unit = RateUnit.largestIn(micros);
    long n = micros / unit.micros;
    if (n == 1) {
      text.append('/').append(unit.one);
    } else {
      text.append(" per ").append(n).append(' ').append(unit.many);
    }
  }

  // ---- one rate or several ---------------------------------------------------------------------

  private Limit one() {
    Limit limit = rate();
    int column = in.column();
    if (separated()) {
      throw in.error(
          column,
          "must be one rate, but another follows the separator",
          "; use Limit.parseAll for several");
    }
    return limit;
  }

  private List<Limit> all() {
    List<Limit> limits = new ArrayList<>();
    do {
      limits.add(rate());
    } while (separated());
    return List.copyOf(limits);
  }

  private boolean separated() {
    int column = in.column();
    String separator = in.found();
    if (!in.takeSeparator()) {
      return false;
    }
    if (in.atEnd()) {
      throw in.error(
          column, "a rate must follow the " + separator, ", was nothing; add one or remove it");
    }
    return true;
  }

  // ---- a rate ----------------------------------------------------------------------------------

  private Limit rate() {
    if (in.atEnd() || in.atSeparator()) {
      throw in.expected("a rate such as 10/minute", "");
    }
    int column = in.column();
    boolean counted = in.atNumber();
    long count = counted ? in.number("the count") : 1;
    if (counted && in.takeWord("total")) {
      return RateOptions.read(in, Kind.QUOTA)
          .limit(column, kind -> make(kind, count, Duration.ZERO));
    }
    per(counted);
    Duration window = window();
    return RateOptions.read(in, Kind.TOKEN_BUCKET).limit(column, kind -> make(kind, count, window));
  }

  private static Limit make(Kind kind, long count, Duration window) {
    return switch (kind) {
      case FIXED_WINDOW -> Limit.fixedWindow(count, window);
      case FIXED_WINDOW_PER_KEY -> Limit.fixedWindowPerKey(count, window);
      case SLIDING_LOG -> Limit.slidingLog(count, window);
      case SLIDING_COUNTER -> Limit.slidingCounter(count, window);
      case TOKEN_BUCKET -> Limit.tokenBucket(count, window);
      case LEAKY_BUCKET -> Limit.leakyBucket(count, window);
      case QUOTA -> Limit.quota(count);
    };
  }

  private void per(boolean counted) {
    if (in.take('/') || in.takeWord("per")) {
      return;
    }
    throw counted
        ? in.expected(
            "'per', '/' or 'total'", Spelling.hint(in.peekWord(), List.of("per", "total"), ""))
        : in.expected("a count, 'per' or '/'", Spelling.hint(in.peekWord(), List.of("per"), ""));
  }

  private Duration window() {
    int column = in.column();
    long n = in.atNumber() ? in.number("the number of units") : 1;
    RateUnit unit = unit();
    if (n > LONGEST_WINDOW / unit.micros) {
      String was = ", was " + n + " " + unit.many;
      throw in.error(column, "the window", " must be at most 50 years of 365 days" + was);
    }
    return Duration.of(n * unit.micros, ChronoUnit.MICROS);
  }

  private RateUnit unit() {
    String word = in.peekWord();
    RateUnit unit = RateUnit.of(word);
    if (unit == null) {
      throw word.isEmpty()
          ? in.expected("a unit", UNITS_LISTED)
          : in.unknown("unit", Spelling.hint(word, RateUnit.SUGGESTED, UNITS_LISTED));
    }
    in.word();
    return unit;
  }
}
