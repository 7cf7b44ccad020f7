package dev.stint.studio.trial;

import java.util.Locale;

/** How a key behaves, told in a few words from three numbers. */
final class Pattern {

  private static final int MOMENT = 10;

  private Pattern() {}

  /**
   * In words.
   *
   * @param seconds from its first request to its last, both counted
   * @param busy in how many of them it came
   */
  static String of(long requests, long seconds, long busy) {
    if (requests == 1) {
      return "once";
    }
    if (seconds <= MOMENT) {
      return "one burst, " + requests + " in " + seconds + " s";
    }
    double whileBusy = (double) requests / busy;
    if (busy * 2 >= seconds) {
      return "steady, " + rate((double) requests / seconds);
    }
    return whileBusy >= 3
        ? String.format(Locale.ROOT, "bursts, %.0f at a time", whileBusy)
        : "now and then, " + rate((double) requests / seconds);
  }

  private static String rate(double perSecond) {
    return perSecond >= 1
        ? String.format(Locale.ROOT, "%.1f a second", perSecond)
        : perSecond * 60 >= 1
            ? String.format(Locale.ROOT, "%.1f a minute", perSecond * 60)
            : String.format(Locale.ROOT, "%.1f an hour", perSecond * 3600);
  }
}
