package dev.stint.lab;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Waits for what other processes do; there is nothing to be notified by, so it looks again. */
final class Await {
  private static final long PAUSE_MILLIS = 10;

  private Await() {}

  /**
   * Returns when the condition holds. An exception from it counts as "not yet": the servers asked
   * are starting, dying or changing roles.
   */
  static void until(String what, Duration limit, BooleanSupplier condition) {
    long start = System.nanoTime();
    RuntimeException last = null;
    do {
      try {
        if (condition.getAsBoolean()) return;
        last = null;
      } catch (RuntimeException e) {
        last = e;
      }
      pause();
    } while (System.nanoTime() - start < limit.toNanos());
    TimeoutException late = new TimeoutException("not within " + limit);
    if (last != null) late.addSuppressed(last);
    throw new IllegalStateException(what + " must happen within " + limit + "; it did not", late);
  }

  static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting", e);
    }
  }
}
