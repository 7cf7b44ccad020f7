package dev.stint.benchmarks.server;

import org.HdrHistogram.Histogram;

/**
 * What came of a round.
 *
 * @param answered how many were answered while it lasted
 * @param latencies nanoseconds of all that were asked, the last of which were answered after it
 */
record Tally(long answered, long refused, long nanos, Histogram latencies) {

  /** A share of refusals above this means that something else was measured. */
  private static final double MOST_REFUSED = 0.001;

  double perSecond() {
    return answered / (nanos / 1e9);
  }

  double micros(double percentile) {
    return latencies.getValueAtPercentile(percentile) / 1e3;
  }

  /** This, if what should be admitted was. */
  Tally checked(String what) {
    if (latencies.getTotalCount() == 0 || refused > latencies.getTotalCount() * MOST_REFUSED) {
      throw new IllegalStateException(
          "%s must be answered, and admitted: of %d answers %d were refusals"
              .formatted(what, latencies.getTotalCount(), refused));
    }
    return this;
  }
}
