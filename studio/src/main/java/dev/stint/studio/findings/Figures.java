package dev.stint.studio.findings;

import java.util.Locale;

/** Numbers as sentences and tables have them. */
final class Figures {

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
}
