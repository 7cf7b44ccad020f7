package dev.stint;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The monotonic clock, anchored to the wall clock once, when this class is loaded. */
final class SystemTime implements TimeSource {

  static final SystemTime INSTANCE = new SystemTime();

  private static final long SYNC_PERIOD = 1_000_000;

  private final long anchorNanos;
  private final long anchorMicros;

  // How far the wall clock is ahead of micros(). Of two threads that write it at once, either will
  // do: both have just measured.
  private volatile long offset;
  private volatile long syncAt;

  private SystemTime() {
    anchorNanos = System.nanoTime();
    anchorMicros = wallNow();
    syncAt = anchorMicros + SYNC_PERIOD;
  }

  @Override
  public long micros() {
    return anchorMicros + (System.nanoTime() - anchorNanos) / 1000;
  }

  @Override
  public long wall(long micros) {
    if (micros >= syncAt) {
      syncAt = micros + SYNC_PERIOD;
      offset = wallNow() - micros();
    }
    return micros + offset;
  }

  private static long wallNow() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
  }

  @Override
  public void sleep(long micros) throws InterruptedException {
    // Not Thread.sleep, which rounds to milliseconds before JDK 21.
    long end = System.nanoTime() + micros * 1000;
    for (long rest = micros * 1000; rest > 0; rest = end - System.nanoTime()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while waiting for room");
      }
      LockSupport.parkNanos(this, rest);
    }
  }

  @Override
  public CompletableFuture<Void> delay(long micros) {
    CompletableFuture<Void> timer =
        new CompletableFuture<Void>().completeOnTimeout(null, micros, TimeUnit.MICROSECONDS);
    // Hop off the one thread that serves all timers: what follows is the user's code.
    CompletableFuture<Void> delay = timer.thenRunAsync(() -> {});
    CompletableFuture<?> unused = delay.whenComplete((done, end) -> timer.cancel(false));
    return delay;
  }
}
