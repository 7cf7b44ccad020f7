package dev.stint.studio.simulate;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as people write them: {@code 90s}, {@code 1.5s}, {@code 1h30min}. */
final class Length {

  private static final Map<String, Long> MICROS =
      Map.of(
          "d",
          86_400_000_000L,
          "h",
          3_600_000_000L,
          "min",
          60_000_000L,
          "s",
          1_000_000L,
          "ms",
          1_000L,
          "us",
          1L);

  private static final Pattern PART = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,18})?)([a-z]+)");
  private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");

  private static final long LONGEST = 100 * 365 * 86_400_000_000L;

  private Length() {}

  /**
   * In microseconds.
   *
   * @throws IllegalArgumentException with a sentence about {@code what}
   */
  static long parse(String what, String text) {
    if (!WHOLE.matcher(text).matches()) {
      throw new IllegalArgumentException(
          what + " must be a length of time such as 90s, 1.5s or 1h30min: '" + text + "'");
    }
    BigDecimal sum = BigDecimal.ZERO;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      Long unit = MICROS.get(part.group(2));
      if (unit == null) {
        throw new IllegalArgumentException(
            what + " must have a unit of us, ms, s, min, h or d: '" + part.group(2) + "'");
      }
      sum = sum.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
    }
    if (sum.compareTo(BigDecimal.valueOf(LONGEST)) > 0) {
      throw new IllegalArgumentException(what + " must be at most 36500d: '" + text + "'");
    }
    try {
      return sum.longValueExact();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          what + " must be a whole number of microseconds: '" + text + "'", e);
    }
  }
}
