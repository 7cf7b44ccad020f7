package dev.stint.studio.cli;

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
}
