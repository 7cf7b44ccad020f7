package dev.stint.studio.trial;

import java.util.Locale;

/** How a key behaves, told in a few words from four numbers. */
final class Pattern {

  private static final int MOMENT = 60;

  /** From fewer seconds than this nobody can tell whether they are regular. */
  private static final int ENOUGH = 5;

  private Pattern() {}

  /**
   * In words.
   *
   * @param seconds from its first request to its last, both counted
   * @param busy in how many of them it came
   * @param silence the most seconds from one of these to the next
   */
  static String of(long requests, long seconds, long busy, long silence) {
    if (requests == 1) {
      return "once";
    }
    if (seconds <= MOMENT) {
      return "one burst, " + requests + " in " + seconds + " s";
    }
    double whileBusy = (double) requests / busy;
    if (whileBusy >= 3 && busy * 2 < seconds) {
      return String.format(Locale.ROOT, "bursts, %.0f at a time", whileBusy);
    }
    String rate = rate((double) requests / seconds);
    if (busy >= ENOUGH && silence * (busy - 1) <= 3 * (seconds - 1)) {
      return "steady, " + rate;
    }
    return (rate.endsWith("hour") ? "now and then, " : "unevenly, ") + rate;
  }

  private static String rate(double perSecond) {
    return perSecond >= 1
        ? String.format(Locale.ROOT, "%.1f a second", perSecond)
        : perSecond * 60 >= 1
            ? String.format(Locale.ROOT, "%.1f a minute", perSecond * 60)
            : String.format(Locale.ROOT, "%.1f an hour", perSecond * 3600);
  }
}
