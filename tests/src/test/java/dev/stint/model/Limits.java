package dev.stint.model;

import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** The product's words for what the model's words mean. */
final class Limits {

  /** The keys of the traces by the model's name for them, of every kind a key may be. */
  private static final Map<String, Key> KEYS =
      Map.of(
          "a", Key.of("a"),
          "b", Key.of("b"),
          "97", Key.of(97L),
          "bytes", Key.of(new byte[] {'a'}));

  static final List<String> KEY_NAMES = List.of("a", "a", "a", "a", "b", "97", "bytes");

  /** Those keys that are strings, which a limiter's own limits take. */
  static final List<String> STRING_KEYS = List.of("a", "a", "b");

  private Limits() {}

  static Limit of(Terms terms) {
    long amount = terms.amount();
    Duration window = Duration.of(terms.window(), ChronoUnit.MICROS);
    Limit limit =
        switch (terms.kind()) {
          case FIXED_WINDOW -> Limit.fixedWindow(amount, window);
          case FIXED_WINDOW_PER_KEY -> Limit.fixedWindowPerKey(amount, window);
          case SLIDING_LOG -> Limit.slidingLog(amount, window);
          case SLIDING_COUNTER -> Limit.slidingCounter(amount, window);
          case TOKEN_BUCKET -> Limit.tokenBucket(amount, window);
          case LEAKY_BUCKET -> Limit.leakyBucket(amount, window);
          case QUOTA -> Limit.quota(amount);
        };
    limit = terms.capacity() == amount ? limit : limit.burst(terms.capacity());
    limit = terms.name().isEmpty() ? limit : limit.named(terms.name());
    return terms.countsDenied() ? limit.countingDenied() : limit;
  }

  static KeyedLimit of(Ask ask) {
    KeyedLimit keyed = of(ask.terms()).on(KEYS.get(ask.key())).cost(ask.cost());
    return ask.shadow() ? keyed.shadow() : keyed;
  }

  static KeyedLimit[] of(List<Ask> asks) {
    return asks.stream().map(Limits::of).toArray(KeyedLimit[]::new);
  }
}
