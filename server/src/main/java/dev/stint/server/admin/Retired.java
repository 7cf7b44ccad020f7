package dev.stint.server.admin;

import io.micrometer.core.instrument.MeterRegistry;

/**
 * The sum of what policies and rules had counted that a reload has removed, so that the totals of
 * the dashboard do not go back.
 */
final class Retired {

  private final MeterRegistry registry;
  private final long[] durations = new long[DurationHistogram.ends().length + 1];
  private Counts counts = Counts.NONE;

  Retired(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Keeps the sums, and removes the series. */
  synchronized void add(Meters meters) {
    counts = counts.plus(meters.counts());
    meters.addDurations(durations);
    meters.removeFrom(registry);
  }

  synchronized Counts counts() {
    return counts;
  }

  synchronized void addDurations(long[] sums) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += durations[i];
    }
  }
}
