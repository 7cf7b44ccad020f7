package dev.stint.server.admin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The keys that come most often, over the last minutes, in bounded memory.
 *
 * <p>Threads note keys in stripes of their own, so that they seldom meet; whoever reads adds the
 * stripes up. Every stripe has two generations: the one that is filled and the one before, which is
 * thrown away when the next begins. So a reader sees the last one to two periods.
 */
final class TopKeys {

  private static final int STRIPES = 4;
  private static final int SLOTS_FOR_EACH_SHOWN = 4;
  private static final int LEAST_SLOTS = 256;

  private final Stripe[] stripes = new Stripe[STRIPES];
  private final int shown;
  private final long period;

  private static final class Stripe {
    Sketch young;
    Sketch old;
    long turn = Long.MIN_VALUE;

    Stripe(int slots, long seed) {
      young = new Sketch(slots, seed);
      old = new Sketch(slots, seed);
    }

    /** Forgets what is older than two periods. Who read the clock a little earlier is late. */
    void turnTo(long now) {
      if (now <= turn) {
        return;
      }
      Sketch oldest = old;
      old = young;
      young = oldest;
      young.clear();
      if (now > turn + 1) {
        old.clear();
      }
      turn = now;
    }
  }

  /** A key and how often it came, at most. */
  record Top(Sketch.Entry entry, long count, long error) {}

  TopKeys(int shown, long periodNanos) {
    this.shown = shown;
    this.period = periodNanos;
    long seed = new SplittableRandom().nextLong();
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe(Math.max(LEAST_SLOTS, shown * SLOTS_FOR_EACH_SHOWN), seed);
    }
  }

  /** Counts a key at a moment of {@link System#nanoTime}. */
  void note(String group, byte[] key, long nanos) {
    Stripe stripe = stripes[(int) Thread.currentThread().getId() & (STRIPES - 1)];
    synchronized (stripe) {
      stripe.turnTo(Math.floorDiv(nanos, period));
      stripe.young.note(group, key);
    }
  }

  /** The keys that came most often, the first most of all. */
  List<Top> top(long nanos) {
    Map<Long, Top> all = new HashMap<>();
    for (Stripe stripe : stripes) {
      synchronized (stripe) {
        stripe.turnTo(Math.floorDiv(nanos, period));
        stripe.young.forEach(entry -> add(all, entry));
        stripe.old.forEach(entry -> add(all, entry));
      }
    }
    List<Top> sorted = new ArrayList<>(all.values());
    sorted.sort(
        Comparator.comparingLong(Top::count)
            .reversed()
            .thenComparingLong(top -> top.entry().hash()));
    return List.copyOf(sorted.subList(0, Math.min(shown, sorted.size())));
  }

  private static void add(Map<Long, Top> all, Sketch.Entry entry) {
    all.merge(
        entry.hash(),
        new Top(entry, entry.count(), entry.error()),
        (a, b) -> new Top(a.entry(), a.count() + b.count(), a.error() + b.error()));
  }
}
