package dev.stint.studio.trial;

import java.util.Arrays;

/**
 * The most that were admitted within any second, or any minute, wherever it begins.
 *
 * <p>Wherever, to a thousandth of it: counts are kept in a ring of a thousand parts, and a window
 * is a thousand parts in a row. Windows of the clock would not do: what they hide is what is looked
 * for, twice the amount around their edge.
 */
final class Worst {

  private static final int PARTS = 1000;

  private final long part;
  private final long[] ring = new long[PARTS];
  private long newest = Long.MIN_VALUE;
  private long sum;
  private long most;

  /** The most within any {@code span} microseconds, a multiple of a thousand. */
  Worst(long span) {
    this.part = span / PARTS;
  }

  /** So many were admitted. Moments come in order. */
  void add(long micros, long cost) {
    long now = Math.floorDiv(micros, part);
    if (now != newest) {
      forget(now);
    }
    ring[(int) Math.floorMod(now, (long) PARTS)] += cost;
    sum += cost;
    most = Math.max(most, sum);
  }

  private void forget(long now) {
    if (newest == Long.MIN_VALUE || now - newest >= PARTS) {
      Arrays.fill(ring, 0);
      sum = 0;
    } else {
      for (long gone = newest + 1; gone <= now; gone++) {
        int at = (int) Math.floorMod(gone, (long) PARTS);
        sum -= ring[at];
        ring[at] = 0;
      }
    }
    newest = now;
  }

  long most() {
    return most;
  }
}
