package dev.stint.studio.simulate;

/**
 * What traffic is made for.
 *
 * @param start the first moment, in microseconds since the epoch
 * @param duration how long it lasts, in microseconds
 * @param amount of the first limit, which is the one that traffic is scaled to
 * @param window of the first limit, in microseconds; 0 for a quota, which has none
 */
record Setting(long start, long duration, long amount, long window) {

  /** So many windows show what each algorithm does: three rounds of an attack. */
  static final int WINDOWS = 6;

  /** A moment of our time, so that virtual clocks show nothing odd. */
  private static final long TODAY = 1_767_225_600_000_000L;

  /** A moment at which a window of the clock begins. */
  static long startOf(long window) {
    return window == 0 ? TODAY : (TODAY / window + 1) * window;
  }

  /** When the first window of the clock begins, at the start or after it, counted from there. */
  long firstEdge() {
    return Math.floorMod(-start, window);
  }
}
