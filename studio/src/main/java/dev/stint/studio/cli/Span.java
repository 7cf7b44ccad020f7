package dev.stint.studio.cli;

import java.math.BigDecimal;

/** Lengths of time, in microseconds, and their names. */
public final class Span {

  /** In microseconds. */
  public static final long SECOND = 1_000_000;

  /** In microseconds. */
  public static final long MINUTE = 60 * SECOND;

  private static final String[] UNITS = {"d", "h", "min", "s", "ms", "us"};
  private static final long[] MICROS = {24 * 60 * MINUTE, 60 * MINUTE, MINUTE, SECOND, 1000, 1};

  private Span() {}

  /** The length in the largest unit that it is a whole number of, such as {@code 90 s}. */
  public static String exactly(long micros) {
    int unit = 0;
    while (micros % MICROS[unit] != 0) {
      unit++;
    }
    return micros / MICROS[unit] + " " + UNITS[unit];
  }

  /**
   * The length roughly, as everybody is told it: in the two largest units, such as {@code 2 h 59
   * min}, and below a minute in one, such as {@code 1.5 s}.
   */
  public static String about(long micros) {
    long rounded = Math.round((double) micros / grain(micros)) * grain(micros);
    int unit = 0;
    while (unit < MICROS.length - 1 && rounded < MICROS[unit]) {
      unit++;
    }
    if (rounded == 0) {
      return "0 s";
    }
    if (MICROS[unit] < MINUTE) {
      return BigDecimal.valueOf(rounded)
              .divide(BigDecimal.valueOf(MICROS[unit]))
              .stripTrailingZeros()
              .toPlainString()
          + " "
          + UNITS[unit];
    }
    long rest = rounded % MICROS[unit] / MICROS[unit + 1];
    return rounded / MICROS[unit]
        + " "
        + UNITS[unit]
        + (rest == 0 ? "" : " " + rest + " " + UNITS[unit + 1]);
  }

  /** The same of what was watched for so long, where little more than nothing is no number. */
  public static String covered(long micros) {
    return micros < SECOND ? "less than a second" : about(micros);
  }

  /** What a length is rounded to: the next smaller unit, or a tenth. */
  private static long grain(long micros) {
    for (int unit = 0; MICROS[unit] >= MINUTE; unit++) {
      if (micros >= MICROS[unit]) {
        return MICROS[unit + 1];
      }
    }
    return micros >= SECOND ? SECOND / 10 : micros >= 1000 ? 100 : 1;
  }
}
