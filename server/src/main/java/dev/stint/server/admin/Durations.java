package dev.stint.server.admin;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How long decisions took in the last seconds: the growth of all histograms together. */
final class Durations {

  private static final int TICKS = 10;
  private static final double[] ENDS = DurationHistogram.ends();

  private final Deque<long[]> newestFirst = new ArrayDeque<>(TICKS + 1);

  Durations() {
    newestFirst.add(new long[ENDS.length + 1]);
  }

  void tick(List<Meters> all, Retired retired) {
    long[] counts = new long[ENDS.length + 1];
    retired.addDurations(counts);
    for (Meters meters : all) {
      meters.addDurations(counts);
    }
    newestFirst.addFirst(counts);
    if (newestFirst.size() > TICKS + 1) {
      newestFirst.removeLast();
    }
  }

  /**
   * The microseconds that 99 of 100 decisions took at most; null if there was none. Within a part
   * of the histogram they are taken to lie evenly, and beyond its end at the end.
   */
  @Nullable Double p99() {
    long[] now = newestFirst.getFirst();
    long[] then = newestFirst.getLast();
    long all = now[ENDS.length] - then[ENDS.length];
    if (all <= 0) {
      return null;
    }
    double wanted = all * 0.99;
    double start = 0;
    long before = 0;
    for (int i = 0; i < ENDS.length; i++) {
      long until = now[i] - then[i];
      if (until >= wanted) {
        double micros = start + (ENDS[i] - start) * (wanted - before) / (until - before);
        return Math.round(micros * 10) / 10.0;
      }
      start = ENDS[i];
      before = until;
    }
    return ENDS[ENDS.length - 1];
  }
}
