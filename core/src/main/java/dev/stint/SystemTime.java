package dev.stint;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;

/**
 * The monotonic clock, anchored to the wall clock once, when this class is loaded. Tests override
 * the two clocks it is made of.
 */
class SystemTime implements TimeSource {

  // An AtomicReference would be one more object on the way of every hit in a window of the clock.
  private static final AtomicReferenceFieldUpdater<SystemTime, Sync> SYNC =
      AtomicReferenceFieldUpdater.newUpdater(SystemTime.class, Sync.class, "sync");

  static final SystemTime INSTANCE = new SystemTime();

  private static final long SYNC_PERIOD = 1_000_000;
  private static final long RETRY_PERIOD = 10_000;

  // Two clocks cannot be read at one moment. A reading of one between two of the other is good when
  // those two lie close together; otherwise the thread was stalled, and it is not known on which
  // side of the reading.
  private static final long CLOSE = 100;
  private static final int TRIES = 5;

  private final long anchorNanos;
  private final long anchorMicros;
  private volatile Sync sync = new Sync(Long.MIN_VALUE, 0, Long.MIN_VALUE);

  /**
   * What the last comparison of the two clocks showed.
   *
   * @param at when it was made, by the monotonic clock
   * @param offset how far the wall clock was ahead of the monotonic one
   * @param due when to compare again
   */
  private record Sync(long at, long offset, long due) {}

  SystemTime() {
    anchorNanos = nanoTime();
    anchorMicros = wallMicros();
    compare(anchorMicros);
  }

  /** A monotonic clock in nanoseconds, with any origin. */
  long nanoTime() {
    return System.nanoTime();
  }

  /** The wall clock in microseconds since the epoch. */
  long wallMicros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
  }

  @Override
  public long micros() {
    return anchorMicros + (nanoTime() - anchorNanos) / 1000;
  }

  @Override
  public long wall(long micros) {
    Sync known = sync;
    if (micros >= known.due) {
      known = compare(micros);
    }
    return micros + known.offset;
  }

  /** Compares the two clocks; the last offset stays in force where that does not succeed. */
  private Sync compare(long micros) {
    Sync known = sync;
    // Callers that come meanwhile go on with the last offset.
    SYNC.compareAndSet(this, known, new Sync(known.at, known.offset, micros + RETRY_PERIOD));
    for (int tries = 0; tries < TRIES; tries++) {
      long before = micros();
      long shown = wallMicros();
      long after = micros();
      if (after - before <= CLOSE) {
        return publish(new Sync(after, shown - after, after + SYNC_PERIOD));
      }
    }
    return sync;
  }

  /** Publishes a comparison, unless a later one is known: a thread may be stalled before this. */
  private Sync publish(Sync made) {
    return SYNC.accumulateAndGet(this, made, (known, next) -> next.at > known.at ? next : known);
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
    CompletableFuture<Void> delay = timer.thenRunAsync(() -> {}, executor());
    CompletableFuture<?> unused = delay.whenComplete((done, end) -> timer.cancel(false));
    return delay;
  }
}
