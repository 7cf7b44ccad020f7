package dev.stint.testkit;

import dev.stint.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A clock of which a chosen reading reaches its caller late, as when the thread is descheduled just
 * after it: other calls are made and time passes in between.
 *
 * <pre>{@code
 * ManualTime time = ManualTime.create();
 * StallingTime stalling = StallingTime.of(time);
 * RateLimiter limiter = RateLimiter.of(MemoryStore.builder().time(stalling).build(), limit);
 * stalling.stallReading(1, () -> {
 *   time.advance(Duration.ofMinutes(5));
 *   limiter.hit("user:42", 100);
 * });
 * limiter.hit("user:42"); // decided with a reading that is five minutes old
 * }</pre>
 *
 * <p>What happens meanwhile runs on a thread of its own. If it waits for the stalled caller, which
 * may be in the middle of something, the caller goes on after a moment.
 */
public final class StallingTime implements TimeSource {

  private static final Duration PATIENCE = Duration.ofMillis(200);

  private final TimeSource time;
  private int readingsLeft;
  private @Nullable Runnable meanwhile;
  private CompletableFuture<Void> done = CompletableFuture.completedFuture(null);

  private StallingTime(TimeSource time) {
    this.time = time;
  }

  /** A clock that shows what {@code time} does. */
  public static StallingTime of(TimeSource time) {
    return new StallingTime(time);
  }

  /**
   * Stalls one reading, once.
   *
   * @param reading which one from now on: 1 for the next
   * @param meanwhile what happens after the clock was read and before the caller sees the reading
   */
  public synchronized void stallReading(int reading, Runnable meanwhile) {
    if (reading < 1) {
      throw new IllegalArgumentException("reading must be at least 1: " + reading);
    }
    this.readingsLeft = reading;
    this.meanwhile = meanwhile;
  }

  /** Whether the chosen reading has been made. */
  public synchronized boolean hasStalled() {
    return meanwhile == null;
  }

  /** Returns when what happens meanwhile has happened; throws what it threw. */
  public void awaitMeanwhile() throws InterruptedException {
    CompletableFuture<Void> running;
    synchronized (this) {
      running = done;
    }
    try {
      running.get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("what happens meanwhile must not fail", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("what happens meanwhile must end within 30 s", e);
    }
  }

  @Override
  public long micros() {
    long reading = time.micros();
    CompletableFuture<Void> running = stall();
    if (running != null) {
      try {
        running.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException | ExecutionException e) {
        // It waits for this caller, or has failed; awaitMeanwhile tells.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return reading;
  }

  private synchronized @Nullable CompletableFuture<Void> stall() {
    Runnable action = meanwhile;
    if (action == null || --readingsLeft > 0) {
      return null;
    }
    meanwhile = null;
    CompletableFuture<Void> running = new CompletableFuture<>();
    done = running;
    Thread thread =
        new Thread(
            () -> {
              try {
                action.run();
                running.complete(null);
              } catch (Throwable e) {
                running.completeExceptionally(e);
              }
            },
            "meanwhile");
    thread.setDaemon(true);
    thread.start();
    return running;
  }

  @Override
  public long wall(long micros) {
    return time.wall(micros);
  }

  @Override
  public void sleep(long micros) throws InterruptedException {
    time.sleep(micros);
  }

  @Override
  public CompletableFuture<Void> delay(long micros) {
    return time.delay(micros);
  }
}
