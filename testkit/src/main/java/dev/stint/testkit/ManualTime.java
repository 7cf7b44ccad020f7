package dev.stint.testkit;

import dev.stint.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until a test moves it.
 *
 * <pre>{@code
 * ManualTime time = ManualTime.create();
 * Store store = MemoryStore.builder().time(time).build();
 * ...
 * time.advance(Duration.ofHours(1));
 * }</pre>
 *
 * <p>A thread that {@linkplain #sleep sleeps} on it parks until somebody moves the time far enough;
 * {@link #awaitSleepers} tells when it has parked, so that no test needs to guess. Where one thread
 * does everything nobody is left to move the time: use {@link #selfAdvancing()}.
 *
 * <p>It is safe for use by many threads, virtual ones too.
 */
public final class ManualTime implements TimeSource {

  private static final Instant SOME_DAY = Instant.parse("2024-01-01T00:00:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  // What is still to be run by a thread that is running something already.
  private static final ThreadLocal<Deque<Runnable>> RUNNING = new ThreadLocal<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private final Condition changed = lock.newCondition();
  private final boolean selfAdvancing;

  // Guarded by the lock, as are all writes of the time.
  private final PriorityQueue<Delay> delays = new PriorityQueue<>(Comparator.comparing(Delay::end));
  private final List<Long> parkedUntil = new ArrayList<>();
  private volatile long now;

  private record Delay(long end, CompletableFuture<Void> future) {}

  private ManualTime(Instant start, boolean selfAdvancing) {
    this.now = micros(start);
    this.selfAdvancing = selfAdvancing;
  }

  /** A clock that stands at the first moment of the year 2024, UTC. */
  public static ManualTime create() {
    return new ManualTime(SOME_DAY, false);
  }

  /** A clock that stands at {@code start}. */
  public static ManualTime at(Instant start) {
    return new ManualTime(start, false);
  }

  /**
   * A clock on which whoever sleeps moves the time by as much and goes on at once. For tests with
   * one thread.
   */
  public static ManualTime selfAdvancing() {
    return new ManualTime(SOME_DAY, true);
  }

  @Override
  public long micros() {
    return now;
  }

  /** What this clock shows. */
  public Instant now() {
    return Instant.EPOCH.plus(micros(), ChronoUnit.MICROS);
  }

  /** Lets so much time pass. */
  public void advance(Duration duration) {
    if (duration.toNanosPart() % 1000 != 0) {
      throw new IllegalArgumentException("time must advance by whole microseconds: " + duration);
    }
    advanceMicros(TimeUnit.MICROSECONDS.convert(duration));
  }

  /**
   * Lets so many microseconds pass. A future that is due on the way completes at its own moment.
   */
  public void advanceMicros(long micros) {
    if (micros < 0) {
      throw new IllegalArgumentException(
          "time must advance by 0 microseconds or more: " + micros + "; to step back, use set");
    }
    long rest = micros;
    while (rest >= 0) {
      Delay due;
      lock.lock();
      try {
        long before = now;
        due = delays.peek();
        if (due == null || due.end > before + rest) {
          now = before + rest;
          rest = -1;
        } else {
          delays.remove();
          now = Math.max(before, due.end);
          rest -= now - before;
        }
        moved.signalAll();
        changed.signalAll();
      } finally {
        lock.unlock();
      }
      if (rest >= 0) {
        complete(due);
      }
    }
  }

  private static void complete(@Nullable Delay due) {
    if (due != null) {
      due.future.complete(null);
    }
  }

  /** Makes this clock show {@code instant}, later than now or earlier. */
  public void set(Instant instant) {
    setMicros(micros(instant));
  }

  /** Makes this clock show so many microseconds since the epoch, later than now or earlier. */
  public void setMicros(long micros) {
    long ahead;
    lock.lock();
    try {
      ahead = micros - now;
      if (ahead < 0) {
        now = micros;
      }
    } finally {
      lock.unlock();
    }
    if (ahead > 0) {
      advanceMicros(ahead);
    }
  }

  @Override
  public void sleep(long micros) throws InterruptedException {
    if (selfAdvancing) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted before sleeping");
      }
      advanceMicros(Math.max(0, micros));
      return;
    }
    lock.lockInterruptibly();
    try {
      long end = now + micros;
      parkedUntil.add(end);
      changed.signalAll();
      try {
        while (now < end) {
          moved.await();
        }
      } finally {
        parkedUntil.remove((Long) end);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public CompletableFuture<Void> delay(long micros) {
    if (micros <= 0 || selfAdvancing) {
      advanceMicros(Math.max(0, micros));
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> future = new CompletableFuture<>();
    Delay delay;
    lock.lock();
    try {
      delay = new Delay(now + micros, future);
      delays.add(delay);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    CompletableFuture<Void> unused = future.whenComplete((done, cancelled) -> forget(delay));
    return future;
  }

  /**
   * Runs what follows a wait at once, on the thread that moved the time or let a waiter go first:
   * when {@link #advance} returns in a test with one thread, all of it is done.
   */
  @Override
  public Executor executor() {
    return this::runInTurn;
  }

  /** One after the other, since each may let the next one go. */
  private void runInTurn(Runnable task) {
    Deque<Runnable> pending = RUNNING.get();
    if (pending != null) {
      pending.add(task);
      return;
    }
    pending = new ArrayDeque<>();
    RUNNING.set(pending);
    try {
      for (Runnable next = task; next != null; next = pending.poll()) {
        next.run();
      }
    } finally {
      RUNNING.remove();
    }
  }

  private void forget(Delay delay) {
    lock.lock();
    try {
      delays.remove(delay);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many wait for this clock: threads that are parked, and futures that are not complete. */
  public int sleepers() {
    lock.lock();
    try {
      // A thread that may go on and has not got round to it no longer waits for the clock.
      long threads = parkedUntil.stream().filter(end -> end > now).count();
      return (int) threads + delays.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns once at least {@code count} {@linkplain #sleepers() sleepers} wait for this clock. Of
   * the calls of {@code acquire} that wait for the same limit and key only the first one sleeps;
   * {@code RateLimiter.waiting()} counts them all.
   *
   * @throws AssertionError after half a minute of the machine's time
   */
  public void awaitSleepers(int count) throws InterruptedException {
    await("at least " + count, () -> sleepers() >= count);
  }

  /** Returns once nobody waits for this clock any more, as after an interruption. */
  public void awaitNoSleepers() throws InterruptedException {
    await("0", () -> sleepers() == 0);
  }

  private void await(String wanted, BooleanSupplier reached) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long patience = PATIENCE.toNanos();
      while (!reached.getAsBoolean()) {
        if (patience <= 0) {
          throw new AssertionError(
              "sleepers must be " + wanted + " within " + PATIENCE + ": " + sleepers());
        }
        patience = changed.awaitNanos(patience);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The time it shows, for messages. */
  @Override
  public String toString() {
    return "ManualTime at " + now();
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }
}
