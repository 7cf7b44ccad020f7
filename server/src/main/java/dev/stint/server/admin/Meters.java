package dev.stint.server.admin;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What one policy, or one rule of Envoy's, has decided. */
final class Meters {

  /** What a limit that is used up adds to {@link #useSum}. */
  static final long WHOLE = 1_000_000;

  /** The upper ends of the histogram, in microseconds. */
  private static final double[] MICROS = {
    1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000
  };

  private static final int A_TENTH = 10;

  private final Counter allowed;
  private final Counter refused;
  private final Counter shadowRefused;
  private final Counter degraded;
  private final Timer duration;
  private final LongAdder use = new LongAdder();
  private final LongAdder near = new LongAdder();

  Meters(MeterRegistry registry, String prefix, String... labels) {
    allowed = decisions(registry, prefix, "allowed", labels);
    refused = decisions(registry, prefix, "refused", labels);
    shadowRefused = decisions(registry, prefix, "shadow_refused", labels);
    degraded =
        Counter.builder(prefix + ".degraded")
            .description("Decisions made without the store.")
            .tags(labels)
            .register(registry);
    duration =
        Timer.builder(prefix + ".decision")
            .description("How long decisions took.")
            .tags(labels)
            .serviceLevelObjectives(buckets())
            .register(registry);
  }

  private static Counter decisions(
      MeterRegistry registry, String prefix, String outcome, String... labels) {
    return Counter.builder(prefix + ".decisions")
        .description("Decisions by what came of them.")
        .tags(labels)
        .tag("outcome", outcome)
        .register(registry);
  }

  private static Duration[] buckets() {
    Duration[] buckets = new Duration[MICROS.length];
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = Duration.ofNanos((long) (MICROS[i] * 1000));
    }
    return buckets;
  }

  void count(
      boolean isAllowed,
      boolean isShadow,
      boolean isDegraded,
      long remaining,
      long capacity,
      long nanos) {
    (isAllowed ? allowed : isShadow ? shadowRefused : refused).increment();
    if (isDegraded) {
      degraded.increment();
    }
    duration.record(nanos, TimeUnit.NANOSECONDS);
    if (remaining < capacity) {
      use.add(WHOLE - (long) ((double) WHOLE * remaining / capacity));
    }
    if (!isAllowed || remaining < (capacity + A_TENTH - 1) / A_TENTH) {
      near.increment();
    }
  }

  Counts counts() {
    return new Counts(
        (long) allowed.count(),
        (long) refused.count(),
        (long) shadowRefused.count(),
        (long) degraded.count());
  }

  /** How full the limits were that decided, each {@link #WHOLE} at most, added up. */
  long useSum() {
    return use.sum();
  }

  /** Decisions that left less than a tenth, or were refusals. */
  long near() {
    return near.sum();
  }

  /** The upper ends of the parts of {@link #addDurations}, in microseconds. */
  static double[] ends() {
    return MICROS.clone();
  }

  /** Adds how many decisions took at most as long as each end; the last number is of all. */
  void addDurations(long[] counts) {
    CountAtBucket[] buckets = duration.takeSnapshot().histogramCounts();
    for (int i = 0; i < MICROS.length; i++) {
      counts[i] += i < buckets.length ? (long) buckets[i].count() : 0;
    }
    counts[MICROS.length] += duration.count();
  }
}
