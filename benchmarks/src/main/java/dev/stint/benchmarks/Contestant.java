package dev.stint.benchmarks;

import dev.stint.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Who takes part. */
public enum Contestant {
  STINT_TOKEN_BUCKET("Stint token bucket"),
  STINT_FIXED_WINDOW("Stint fixed window"),
  STINT_FIXED_WINDOW_PER_KEY("Stint fixed window per key"),
  STINT_SLIDING_COUNTER("Stint sliding counter"),
  STINT_SLIDING_LOG("Stint sliding log of 100"),
  STINT_QUOTA("Stint quota"),
  /** In a JVM that has used every algorithm, so that no call in the engine has one target only. */
  STINT_AMONG_OTHERS("Stint token bucket, all algorithms in use"),
  BUCKET4J_MAP("Bucket4j in ConcurrentHashMap"),
  BUCKET4J_CAFFEINE("Bucket4j in Caffeine"),
  RESILIENCE4J("Resilience4j registry"),
  GUAVA("Guava in ConcurrentHashMap"),
  CELL_MAP("a bare cell in ConcurrentHashMap");

  private static final int REHEARSALS = 50_000;

  private final String label;

  Contestant(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  boolean isStint() {
    return name().startsWith("STINT");
  }

  boolean isLog() {
    return this == STINT_SLIDING_LOG;
  }

  String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The limit that this contestant has on every key of a set, when all are to be admitted. */
  Rate admitting(KeySet keys) {
    return isLog() ? keys.logRate() : keys.rate();
  }

  /** A limit that is soon exhausted and slow to come back. */
  Rate refusing() {
    return isLog() ? Rate.perDay(KeySet.LOG_AMOUNT) : Rate.perDay(1_000);
  }

  Subject make(Rate rate, int keys) {
    return switch (this) {
      case BUCKET4J_MAP -> new Bucket4jInMap(rate);
      case BUCKET4J_CAFFEINE -> new Bucket4jInCaffeine(rate, keys);
      case RESILIENCE4J -> new Resilience4jRegistry(rate);
      case GUAVA -> new GuavaInMap(rate);
      case CELL_MAP -> new CellInMap(rate);
      case STINT_AMONG_OTHERS -> {
        rehearse();
        yield new StintInMemory(limit(rate), keys);
      }
      default -> new StintInMemory(limit(rate), keys);
    };
  }

  /** The limit as Stint says it. */
  Limit limit(Rate rate) {
    return switch (this) {
      case STINT_FIXED_WINDOW -> Limit.fixedWindow(rate.amount(), rate.window());
      case STINT_FIXED_WINDOW_PER_KEY -> Limit.fixedWindowPerKey(rate.amount(), rate.window());
      case STINT_SLIDING_COUNTER -> Limit.slidingCounter(rate.amount(), rate.window());
      case STINT_SLIDING_LOG -> Limit.slidingLog(rate.amount(), rate.window());
      case STINT_QUOTA -> Limit.quota(rate.amount());
      case STINT_TOKEN_BUCKET, STINT_AMONG_OTHERS ->
          Limit.tokenBucket(rate.amount(), rate.window());
      default -> throw new IllegalArgumentException("contestant must be Stint: " + this);
    };
  }

  /** Uses every algorithm, admitted and refused. */
  private static void rehearse() {
    List<Subject> all = new ArrayList<>();
    for (Contestant one : values()) {
      if (one.isStint()) {
        all.add(new StintInMemory(one.limit(one.refusing()), 1_000));
      }
    }
    KeyMaker keys = new KeyMaker();
    for (int i = 0; i < REHEARSALS; i++) {
      for (Subject one : all) {
        one.hit(keys.text(i % 10));
      }
    }
  }
}
