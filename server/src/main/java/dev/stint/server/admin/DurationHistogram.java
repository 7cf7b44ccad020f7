package dev.stint.server.admin;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long decisions took, in buckets, with their sum and the longest of the last minutes.
 *
 * <p>Every decision of every event loop is recorded here, and most fall into the same bucket.
 * Micrometer's timer counts a bucket in one word, which the event loops then take from each other
 * at every decision. Here each bucket is an adder, in which threads do not meet.
 */
final class DurationHistogram {

  /** How long the longest duration is remembered at least; at most twice as long. */
  static final long PERIOD = Duration.ofMinutes(2).toNanos();

  /** The upper ends of the buckets, in microseconds. */
  private static final double[] MICROS = {
    1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000
  };

  private static final long[] NANOS = new long[MICROS.length];

  static {
    for (int i = 0; i < NANOS.length; i++) {
      NANOS[i] = (long) (MICROS[i] * 1000);
    }
  }

  /** One bucket more than there are ends: what took longer. */
  private final LongAdder[] buckets = new LongAdder[NANOS.length + 1];

  private final LongAdder sum = new LongAdder();

  private volatile long longest;
  private volatile long periodBegan;
  private long longestBefore; // guarded by this

  /**
   * An empty histogram.
   *
   * @param now a reading of {@link System#nanoTime}, as for all that follows
   */
  DurationHistogram(long now) {
    this.periodBegan = now;
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
    }
  }

  /** The upper ends of the buckets, in microseconds; the last bucket has none. */
  static double[] ends() {
    return MICROS.clone();
  }

  void record(long nanos, long now) {
    int bucket = 0;
    while (bucket < NANOS.length && nanos > NANOS[bucket]) {
      bucket++;
    }
    buckets[bucket].increment();
    sum.add(nanos);
    if (nanos > longest || now - periodBegan >= PERIOD) {
      raise(nanos, now);
    }
  }

  private synchronized void raise(long nanos, long now) {
    turn(now);
    longest = Math.max(longest, nanos);
  }

  private void turn(long now) {
    long age = now - periodBegan;
    if (age >= PERIOD) {
      longestBefore = age < 2 * PERIOD ? longest : 0;
      longest = 0;
      periodBegan = age < 2 * PERIOD ? periodBegan + PERIOD : now;
    }
  }

  /** The longest of the last minutes, in nanoseconds. */
  synchronized long longest(long now) {
    turn(now);
    return Math.max(longest, longestBefore);
  }

  /** The sum of all durations, in nanoseconds. */
  long sum() {
    return sum.sum();
  }

  /** How many durations each bucket has. */
  long[] counts() {
    long[] counts = new long[buckets.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = buckets[i].sum();
    }
    return counts;
  }
}
