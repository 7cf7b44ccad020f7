package dev.stint.benchmarks;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;

/** Stint in memory, asked by the key alone; room for every key, otherwise the defaults. */
final class StintInMemory implements Subject {

  private final RateLimiter limiter;
  private final long amount;

  StintInMemory(Limit limit, int keys) {
    limiter = RateLimiter.of(store(keys), limit);
    amount = limit.amount();
  }

  static MemoryStore store(long rows) {
    return MemoryStore.builder().maxKeys(Math.max(rows, 1_000_000)).build();
  }

  @Override
  public boolean hit(String key) {
    return limiter.hit(key).allowed();
  }

  @Override
  public Object answer(String key) {
    return limiter.hit(key);
  }

  @Override
  public void insert(String key) {
    check(limiter.hit(key));
  }

  @Override
  public void exhaust(String key) {
    check(limiter.hit(key, amount));
  }

  /** A store that is full would answer from shared cells, and those are not what is measured. */
  static void check(Decision decision) {
    if (!decision.allowed() || decision.shared()) {
      throw new IllegalStateException(
          "a new key must be admitted and have a row of its own: " + decision);
    }
  }
}
