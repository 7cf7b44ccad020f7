package dev.stint.benchmarks;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.redis.RedisStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Stint in Redis with its defaults, but patient: at its usual deadline a stall of the machine would
 * turn into quick answers that are not Redis's. None such is let pass.
 */
final class StintInRedis implements RedisSubject {

  static final Duration DEADLINE = Duration.ofSeconds(2);

  private final RedisStore store;
  private final RateLimiter limiter;
  private final long amount;

  /**
   * A limiter.
   *
   * @param remembering whether refusals are remembered for a moment, for whom it is worth measuring
   */
  StintInRedis(String uri, Rate rate, boolean remembering) {
    RedisStore.Builder builder = RedisStore.builder(uri).deadline(DEADLINE);
    store = (remembering ? builder.rememberRefusals(Duration.ofMillis(100)) : builder).build();
    limiter = RateLimiter.of(store, Limit.tokenBucket(rate.amount(), rate.window()));
    amount = rate.amount();
  }

  /** What a decision says, if it is Redis that says it. */
  static boolean allowed(Decision decision) {
    if (decision.degraded()) {
      throw new IllegalStateException(
          "no decision may be degraded, or giving up would count as speed: "
              + decision.reason().orElse("no reason given"));
    }
    return decision.allowed();
  }

  @Override
  public boolean hit(String key) {
    return allowed(limiter.hit(key));
  }

  @Override
  public CompletionStage<Boolean> hitAsync(String key) {
    return limiter.hitAsync(key).thenApply(StintInRedis::allowed);
  }

  @Override
  public CompletionStage<?> insert(String key) {
    return hitAsync(key);
  }

  @Override
  public CompletionStage<?> exhaust(String key) {
    return limiter.hitAsync(key, amount).thenApply(StintInRedis::allowed);
  }

  @Override
  public void close() {
    store.close();
  }
}
