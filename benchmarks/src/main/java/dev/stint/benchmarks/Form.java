package dev.stint.benchmarks;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import java.util.Arrays;
import java.util.Locale;

/**
 * The other ways to ask: with other keys, with limits given in the call, of several limits at once.
 */
public enum Form {
  TEXT("Stint, limit.on(String)"),
  BYTES("Stint, limit.on(byte[])"),
  NUMBER("Stint, limit.on(long)"),
  THREE_LIMITS("Stint, three limits on one key"),
  THREE_KEYS("Stint, three limits on three keys"),
  BUCKET4J_THREE_LIMITS("Bucket4j in ConcurrentHashMap, three limits on one key");

  private final String label;

  Form(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether several limits are asked at once. */
  boolean isJoint() {
    return this == THREE_LIMITS || this == THREE_KEYS || this == BUCKET4J_THREE_LIMITS;
  }

  Asked make(KeySet keys) {
    Rate[] rates = three(keys.rate());
    Limit[] limits =
        Arrays.stream(rates)
            .map(rate -> Limit.tokenBucket(rate.amount(), rate.window()))
            .toArray(Limit[]::new);
    return switch (this) {
      case TEXT -> new Asked.ByText(limiter(keys.count()), limits[0]);
      case BYTES -> new Asked.ByBytes(limiter(keys.count()), limits[0]);
      case NUMBER -> new Asked.ByNumber(limiter(keys.count()), limits[0]);
      case THREE_LIMITS -> new Asked.ByKey(limiter(3L * keys.count(), limits));
      case THREE_KEYS ->
          new Asked.ByThreeKeys(limiter(3L * keys.count()), limits[0], limits[1], limits[2]);
      case BUCKET4J_THREE_LIMITS -> new Asked.Peer(new Bucket4jInMap(rates));
    };
  }

  private static RateLimiter limiter(long rows, Limit... limits) {
    return RateLimiter.of(StintInMemory.store(rows), limits);
  }

  /** Three limits of which the first is the tightest. */
  private static Rate[] three(Rate rate) {
    return new Rate[] {
      rate,
      new Rate(rate.amount() * 2, rate.window().multipliedBy(3)),
      new Rate(rate.amount() * 4, rate.window().multipliedBy(10))
    };
  }
}
