package dev.stint.server.admin;

import dev.stint.algorithm.Operation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What one policy, or one of Envoy's rules, has decided. */
final class Meters {

  /** What a limit that is used up adds to {@link #useSum}. */
  static final long WHOLE = 1_000_000;

  /** The upper ends of the histogram, in microseconds. */
  private static final double[] MICROS = {
    1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000
  };

  /** The decisions of one outcome. */
  private static final class Outcome {
    final Counter decisions;
    final Counter units;

    Outcome(MeterRegistry registry, String prefix, String outcome, String... labels) {
      decisions =
          Counter.builder(prefix + ".decisions")
              .description("Decisions by outcome.")
              .tags(labels)
              .tag("outcome", outcome)
              .register(registry);
      units =
          Counter.builder(prefix + ".units")
              .description("Units that decisions were about, by outcome.")
              .tags(labels)
              .tag("outcome", outcome)
              .register(registry);
    }
  }

  private final double nearLimit;
  private final Outcome allowed;
  private final Outcome refused;
  private final Outcome shadowRefused;
  private final Counter peeksAllowed;
  private final Counter peeksRefused;
  private final Counter degraded;
  private final Counter near;
  private final Timer duration;
  private final boolean ownsDuration;
  private final LongAdder use = new LongAdder();

  /**
   * Meters with these labels.
   *
   * @param nearLimit the share of a limit beyond which a decision is near the limit
   * @param shared counts durations in place of a histogram of its own; null to have one
   */
  Meters(
      MeterRegistry registry,
      String prefix,
      double nearLimit,
      @Nullable Meters shared,
      String... labels) {
    this.nearLimit = nearLimit;
    allowed = new Outcome(registry, prefix, "allowed", labels);
    refused = new Outcome(registry, prefix, "refused", labels);
    shadowRefused = new Outcome(registry, prefix, "shadow_refused", labels);
    peeksAllowed = peeks(registry, prefix, "allowed", labels);
    peeksRefused = peeks(registry, prefix, "refused", labels);
    degraded =
        Counter.builder(prefix + ".degraded")
            .description("Decisions made without the store.")
            .tags(labels)
            .register(registry);
    near =
        Counter.builder(prefix + ".near.limit")
            .description("Allowed requests after which a limit was nearly used up.")
            .tags(labels)
            .register(registry);
    ownsDuration = shared == null;
    duration =
        shared != null
            ? shared.duration
            : Timer.builder(prefix + ".decision")
                .description("How long decisions took.")
                .tags(labels)
                .serviceLevelObjectives(buckets())
                .register(registry);
  }

  private static Counter peeks(
      MeterRegistry registry, String prefix, String outcome, String... labels) {
    return Counter.builder(prefix + ".peeks")
        .description("Peeks by outcome. They are not counted as decisions.")
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

  /** Counts a hit or a peek. */
  void count(
      Operation operation,
      long units,
      boolean isAllowed,
      boolean isShadow,
      boolean isDegraded,
      long remaining,
      long capacity,
      long nanos) {
    if (operation != Operation.HIT) {
      (isAllowed ? peeksAllowed : peeksRefused).increment();
      return;
    }
    Outcome outcome = isAllowed ? allowed : isShadow ? shadowRefused : refused;
    outcome.decisions.increment();
    outcome.units.increment((double) units);
    if (isDegraded) {
      degraded.increment();
    }
    duration.record(nanos, TimeUnit.NANOSECONDS);
    long used = capacity - remaining;
    if (used > 0) {
      use.add(WHOLE - (long) ((double) WHOLE * remaining / capacity));
      if (isAllowed && used > (long) (capacity * nearLimit)) {
        near.increment();
      }
    }
  }

  Counts counts() {
    return new Counts(
        (long) allowed.decisions.count(),
        (long) refused.decisions.count(),
        (long) shadowRefused.decisions.count(),
        (long) degraded.count());
  }

  /** How full the limits were that decided, each {@link #WHOLE} at most, added up. */
  long useSum() {
    return use.sum();
  }

  /** Decisions near the limit, refusals included. */
  long near() {
    return (long) (near.count() + refused.decisions.count() + shadowRefused.decisions.count());
  }

  /** The upper ends of the parts of {@link #addDurations}, in microseconds. */
  static double[] ends() {
    return MICROS.clone();
  }

  /** Adds how many decisions took at most as long as each end; the last number is of all. */
  void addDurations(long[] counts) {
    if (!ownsDuration) {
      return; // its owner adds them
    }
    CountAtBucket[] buckets = duration.takeSnapshot().histogramCounts();
    for (int i = 0; i < MICROS.length; i++) {
      counts[i] += i < buckets.length ? (long) buckets[i].count() : 0;
    }
    counts[MICROS.length] += duration.count();
  }

  /** Takes all series out of a registry. */
  void removeFrom(MeterRegistry registry) {
    for (Meter meter :
        List.of(
            allowed.decisions,
            allowed.units,
            refused.decisions,
            refused.units,
            shadowRefused.decisions,
            shadowRefused.units,
            peeksAllowed,
            peeksRefused,
            degraded,
            near)) {
      registry.remove(meter);
    }
    if (ownsDuration) {
      registry.remove(duration);
    }
  }
}
