package dev.stint.benchmarks;

import dev.stint.Limit;
import dev.stint.http.HttpLimiter;
import dev.stint.http.KeySource;
import dev.stint.http.Rule;
import dev.stint.http.servlet.RateLimitFilter;
import jakarta.servlet.Filter;
import java.util.Optional;

/** What stands in front of the same handler on the same server. */
enum HttpContestant {
  BARE("nothing"),
  STINT("Stint"),
  BUCKET4J("Bucket4j");

  /** A usual amount, and more than any of the many keys uses up: what is measured is passing. */
  static final long AMOUNT = 1_000;

  static final String KEY_HEADER = "X-Api-Key";

  private final String label;

  HttpContestant(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  Optional<Filter> filter() {
    return switch (this) {
      case BARE -> Optional.empty();
      case STINT -> Optional.of(new RateLimitFilter(limiter()));
      case BUCKET4J -> Optional.of(new Bucket4jFilter());
    };
  }

  private static HttpLimiter limiter() {
    Limit limit = Limit.parse(AMOUNT + "/minute");
    return HttpLimiter.of(Rule.of("api", limit).by(KeySource.header(KEY_HEADER)));
  }
}
