package dev.stint.benchmarks;

import com.google.common.util.concurrent.RateLimiter;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Guava's RateLimiter in a ConcurrentHashMap.
 *
 * <p>It knows a rate but no amount to begin with, and would refuse the second hit of a key that the
 * others admit thousands of. So where hits are to be admitted it gets a rate that no thread can
 * reach; its cost does not depend on it.
 */
final class GuavaInMap implements Subject {

  private static final double UNREACHABLE = 1e9;

  private final ConcurrentHashMap<String, RateLimiter> limiters = new ConcurrentHashMap<>();
  private final Rate rate;

  GuavaInMap(Rate rate) {
    this.rate = rate;
  }

  @Override
  public boolean hit(String key) {
    RateLimiter limiter = limiters.get(key);
    if (limiter == null) {
      limiter = limiters.computeIfAbsent(key, k -> RateLimiter.create(UNREACHABLE));
    }
    return limiter.tryAcquire();
  }

  @Override
  public void exhaust(String key) {
    RateLimiter limiter = RateLimiter.create(rate.perSecond());
    if (limiter.tryAcquire(rate.intAmount())) {
      limiters.put(key, limiter);
    }
  }
}
