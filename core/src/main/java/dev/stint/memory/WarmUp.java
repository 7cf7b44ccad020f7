package dev.stint.memory;

import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import java.time.Duration;
import java.util.List;

/**
 * Makes every kind of call once, before the first caller does.
 *
 * <p>A class whose initializer fails cannot be used again for as long as the process lives, and one
 * runs when a class is first used. A first call close to the end of its stack, or in a moment
 * without memory, must not do that to the store, nor to the classes of Java that it uses.
 */
final class WarmUp {

  static {
    Duration minute = Duration.ofMinutes(1);
    List<Limit> limits =
        List.of(
            Limit.tokenBucket(7, minute),
            Limit.fixedWindow(1 << 20, minute),
            Limit.slidingCounter(5, minute),
            Limit.slidingLog(5, minute),
            Limit.quota(5));
    MemoryStore store =
        new MemoryStore(MemoryStore.builder().cleanPeriod(Duration.ZERO).maxKeys(8));
    RateLimiter limiter = RateLimiter.of(store);
    for (Limit limit : limits) {
      KeyedLimit place = limit.on("key");
      limiter.peek(place);
      limiter.refund(limiter.hit(place));
      limiter.hit(place.cost(5));
      limiter.hit(place.cost(5));
      limiter.inc(place);
      limiter.refund(place);
      limiter.set(place, 2);
      limiter.get(place);
      limiter.expiresAt(place);
    }
    // More keys than there are rows, so that some are counted in cells.
    KeyedLimit[] all = limits.stream().map(limit -> limit.on(7).cost(2)).toArray(KeyedLimit[]::new);
    for (int i = 0; i < 3; i++) {
      limiter.refund(limiter.hit(all));
    }
    limits.forEach(limit -> limiter.reset(limit.on("key")));
    store.clean();
    store.close();
  }

  private WarmUp() {}

  /** Returns when all kinds of calls have been made. */
  static void ensure() {}
}
