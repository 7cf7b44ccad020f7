package dev.stint.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one cell came to with an old and a new build, in rounds of one measurement each.
 *
 * @param rounds at least one
 */
record Comparison(Cell cell, List<Round> rounds) {

  /** The most that the new build may take of the old one's time. */
  static final double MOST = 1.05;

  /** Less than any object. What the fork does beside the hits, spread over them, is less still. */
  private static final double SAME_BYTES = 1;

  /** One measurement: nanoseconds and allocated bytes per hit, the key string's included. */
  record Measurement(double nanos, double bytes) {}

  /** Two measurements, one right after the other. */
  record Round(Measurement older, Measurement newer) {

    double ratio() {
      return newer.nanos / older.nanos;
    }
  }

  Comparison {
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("a comparison must have at least one round: 0");
    }
    rounds = List.copyOf(rounds);
  }

  double olderNanos() {
    return spread(round -> round.older.nanos).median();
  }

  double newerNanos() {
    return spread(round -> round.newer.nanos).median();
  }

  double olderBytes() {
    return spread(round -> round.older.bytes).median();
  }

  double newerBytes() {
    return spread(round -> round.newer.bytes).median();
  }

  /** New to old, of each round: whatever else the machine does meets both of a round. */
  Spread ratio() {
    return spread(Round::ratio);
  }

  boolean isSlower() {
    return ratio().median() > MOST;
  }

  boolean allocatesMore() {
    return newerBytes() - olderBytes() > SAME_BYTES;
  }

  /** Held, or what is worse than before. */
  String verdict() {
    if (isSlower()) {
      return allocatesMore() ? "slower, allocates more" : "slower";
    }
    return allocatesMore() ? "allocates more" : "held";
  }

  private Spread spread(ToDoubleFunction<Round> number) {
    return Spread.of(rounds.stream().mapToDouble(number).boxed().toList());
  }
}
