package dev.stint.server.admin;

import dev.stint.algorithm.Operation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What one policy, or one of Envoy's rules, has decided. */
final class Meters {

  /** What a limit that is used up adds to {@link #useSum}. */
  static final long WHOLE = 1_000_000;

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
  private final DurationHistogram durations;
  private final boolean ownsDurations;
  private final DurationCollector collector;
  private final String[] labels;
  private final LongAdder use = new LongAdder();

  /**
   * Meters with these labels.
   *
   * @param nearLimit the share of a limit beyond which a decision is near the limit
   * @param shared counts durations in place of a histogram of its own; null to have one
   */
  Meters(
      MeterRegistry registry,
      DurationCollector collector,
      String prefix,
      double nearLimit,
      @Nullable Meters shared,
      String... labels) {
    this.nearLimit = nearLimit;
    this.collector = collector;
    this.labels = labels;
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
    ownsDurations = shared == null;
    durations = shared != null ? shared.durations : collector.add(labels);
  }

  private static Counter peeks(
      MeterRegistry registry, String prefix, String outcome, String... labels) {
    return Counter.builder(prefix + ".peeks")
        .description("Peeks by outcome. They are not counted as decisions.")
        .tags(labels)
        .tag("outcome", outcome)
        .register(registry);
  }

  /**
   * Counts a hit or a peek.
   *
   * @param began when it began, as {@link System#nanoTime} has it
   * @param ended when it had been decided
   */
  void count(
      Operation operation,
      long units,
      boolean isAllowed,
      boolean isShadow,
      boolean isDegraded,
      long remaining,
      long capacity,
      long began,
      long ended) {
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
    durations.record(ended - began, ended);
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

  /**
   * Adds how many decisions took at most as long as each of {@link DurationHistogram#ends}; the
   * last number is of all.
   */
  void addDurations(long[] sums) {
    if (!ownsDurations) {
      return; // its owner adds them
    }
    long[] counts = durations.counts();
    long atMost = 0;
    for (int i = 0; i < counts.length; i++) {
      atMost += counts[i];
      sums[i] += atMost;
    }
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
    if (ownsDurations) {
      collector.remove(durations, labels);
    }
  }
}
