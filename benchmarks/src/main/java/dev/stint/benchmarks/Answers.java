package dev.stint.benchmarks;

import java.time.Duration;

/** What the limiter says to the traffic. A benchmark whose limiter says something else fails. */
public enum Answers {
  /** Every hit passes. */
  ADMITTED(0, 0.001),
  /** Every key is exhausted. */
  REFUSED(0.999, 1),
  /** Every other key is exhausted. */
  MIXED(0.45, 0.55);

  private final double least;
  private final double most;

  Answers(double least, double most) {
    this.least = least;
    this.most = most;
  }

  boolean exhausted(int index) {
    return this == REFUSED || (this == MIXED && index % 2 == 1);
  }

  Rate rate(Contestant contestant, KeySet keys) {
    return switch (this) {
      case ADMITTED -> contestant.admitting(keys);
      case REFUSED -> contestant.refusing();
      // Enough for the keys that pass, and so slow that the others stay exhausted on a busy
      // machine.
      case MIXED -> new Rate(1_000_000, Duration.ofDays(30));
    };
  }

  void check(long refused, long asked) {
    double share = asked == 0 ? Double.NaN : (double) refused / asked;
    if (!(share >= least && share <= most)) {
      throw new IllegalStateException(
          "%s must refuse a share from %s to %s of the hits: it refused %d of %d"
              .formatted(this, least, most, refused, asked));
    }
  }
}
