package dev.stint.benchmarks;

import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.time.Duration;

/** Resilience4j's registry, whose limiters do not wait. */
final class Resilience4jRegistry implements Subject {

  private final RateLimiterRegistry registry;
  private final int amount;

  Resilience4jRegistry(Rate rate) {
    amount = rate.intAmount();
    registry =
        RateLimiterRegistry.of(
            RateLimiterConfig.custom()
                .limitForPeriod(amount)
                .limitRefreshPeriod(rate.window())
                .timeoutDuration(Duration.ZERO)
                .build());
  }

  @Override
  public boolean hit(String key) {
    return registry.rateLimiter(key).acquirePermission();
  }

  @Override
  public void exhaust(String key) {
    registry.rateLimiter(key).acquirePermission(amount);
  }
}
