package dev.stint.testkit;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as timelines write them: {@code 199.999ms}, {@code 1h30min}. */
final class Span {

  static final String UNITS = "us, ms, s, min, h, d";

  private static final Map<String, Long> MICROS = new LinkedHashMap<>();

  static {
    MICROS.put("d", 86_400_000_000L);
    MICROS.put("h", 3_600_000_000L);
    MICROS.put("min", 60_000_000L);
    MICROS.put("s", 1_000_000L);
    MICROS.put("ms", 1_000L);
    MICROS.put("us", 1L);
  }

  private static final Pattern PART = Pattern.compile("([0-9][0-9_]*(?:\\.[0-9]+)?)([a-zµ]+)");
  private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");

  private Span() {}

  /** Whether this looks like a length of time, possibly of an unknown unit. */
  static boolean looksLike(String word) {
    return WHOLE.matcher(word).matches();
  }

  /** The microseconds of a word that {@linkplain #looksLike looks like} a length of time. */
  static long parse(String word) {
    BigDecimal sum = BigDecimal.ZERO;
    Matcher part = PART.matcher(word);
    while (part.find()) {
      Long unit = MICROS.get(part.group(2).replace('µ', 'u'));
      if (unit == null) {
        throw new IllegalArgumentException(
            "unit must be one of " + UNITS + ": '" + part.group(2) + "'");
      }
      BigDecimal number = new BigDecimal(part.group(1).replace("_", ""));
      sum = sum.add(number.multiply(BigDecimal.valueOf(unit)));
    }
    try {
      return sum.longValueExact();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("time must be whole microseconds: '" + word + "'", e);
    }
  }

  /**
   * In one unit: the largest of days, hours and minutes that it is a whole number of, or decimals.
   */
  static String format(long micros) {
    if (micros < 0) {
      return "-" + format(-micros);
    }
    for (Map.Entry<String, Long> unit : MICROS.entrySet()) {
      boolean decimal = unit.getValue() <= 1_000_000;
      if (micros >= unit.getValue() && (decimal || micros % unit.getValue() == 0)) {
        BigDecimal number = BigDecimal.valueOf(micros).divide(BigDecimal.valueOf(unit.getValue()));
        return number.stripTrailingZeros().toPlainString() + unit.getKey();
      }
    }
    return "0s";
  }
}
