package dev.stint.redis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what happens in other processes, where nobody notifies: it looks again and again. */
final class Eventually {

  private static final long PAUSE = 2_000_000;

  private Eventually() {}

  /** Returns how long it took for the condition to hold. */
  static Duration within(Duration limit, String what, BooleanSupplier condition) {
    return within(limit, () -> what, condition);
  }

  /** As the other, with words that are found only when they are needed. */
  static Duration within(Duration limit, Supplier<String> what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > limit.toNanos()) {
        throw new AssertionError(what.get() + " must happen within " + limit + "; it did not");
      }
      LockSupport.parkNanos(PAUSE);
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** Lets time pass in which something else goes on. */
  static void pass(Duration span) {
    long end = System.nanoTime() + span.toNanos();
    for (long left = span.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
