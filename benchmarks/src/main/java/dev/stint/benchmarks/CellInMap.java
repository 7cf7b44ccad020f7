package dev.stint.benchmarks;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The least that a limiter in a ConcurrentHashMap can be: a number per key, the instant at which
 * its bucket is empty. It rounds the refill to nanoseconds, never expires and answers yes or no
 * only.
 */
final class CellInMap implements Subject {

  private final ConcurrentHashMap<String, AtomicLong> cells = new ConcurrentHashMap<>();
  private final long interval;
  private final long capacity;
  private final long amount;

  CellInMap(Rate rate) {
    amount = rate.amount();
    interval = rate.window().toNanos() / amount;
    capacity = interval * amount;
  }

  @Override
  public boolean hit(String key) {
    return take(key, 1);
  }

  @Override
  public void exhaust(String key) {
    take(key, amount);
  }

  private boolean take(String key, long units) {
    AtomicLong cell = cells.get(key);
    if (cell == null) {
      cell = cells.computeIfAbsent(key, k -> new AtomicLong(Long.MIN_VALUE));
    }
    long now = System.nanoTime();
    while (true) {
      long word = cell.get();
      long next = Math.max(word, now) + units * interval;
      if (next - now > capacity) {
        return false;
      }
      if (cell.compareAndSet(word, next)) {
        return true;
      }
    }
  }
}
