package dev.stint.studio.findings;

import dev.stint.studio.cli.Span;
import java.util.Locale;

/** Numbers as sentences and tables have them. */
final class Figures {

  private static final String[] UNITS = {"d", "h", "min", "s", "ms", "us"};
  private static final long[] MICROS = {
    24 * 60 * Span.MINUTE, 60 * Span.MINUTE, Span.MINUTE, Span.SECOND, 1000, 1
  };

  private Figures() {}

  /** Such as {@code 12,345}. */
  static String count(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  /** In at most five characters, such as {@code 12.3M}. */
  static String brief(long n) {
    String signs = " kMGTPE";
    double rest = n;
    int sign = 0;
    while (rest >= 999.5 && sign < signs.length() - 1) {
      rest /= 1000;
      sign++;
    }
    return sign == 0
        ? Long.toString(n)
        : String.format(Locale.ROOT, rest < 99.95 ? "%.1f%c" : "%.0f%c", rest, signs.charAt(sign));
  }

  /** Such as {@code 1 client} or {@code 12 clients}. */
  static String of(long n, String noun) {
    return count(n) + " " + noun + (n == 1 ? "" : "s");
  }

  /** A part of a whole, never rounded to nothing or to everything. */
  static String percent(long part, long whole) {
    double percent = whole == 0 ? 0 : 100.0 * part / whole;
    if (part > 0 && percent < 0.05) {
      return "under 0.1 %";
    }
    if (part < whole && percent >= 99.95) {
      return "over 99.9 %";
    }
    return String.format(Locale.ROOT, "%.1f", percent).replaceFirst("\\.0$", "") + " %";
  }

  /** A length of time, roughly: in the largest unit it fills, with one decimal at most. */
  static String length(long micros) {
    for (int i = 0; i < UNITS.length; i++) {
      // Rounding up to a whole larger unit is rounding all the same: 59.99 s are a minute.
      if (micros >= MICROS[i] * 0.9995) {
        double n = Math.round(10.0 * micros / MICROS[i]) / 10.0;
        String format = n == Math.rint(n) ? "%.0f %s" : "%.1f %s";
        return String.format(Locale.ROOT, format, n, UNITS[i]);
      }
    }
    return "0 s";
  }
}
