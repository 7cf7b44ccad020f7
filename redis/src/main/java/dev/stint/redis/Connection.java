package dev.stint.redis;

import io.lettuce.core.api.StatefulConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is tried again until it succeeds for the first time. From then on Lettuce keeps
 * it alive by itself.
 */
final class Connection<C extends StatefulConnection<byte[], byte[]>> implements Timer.Task {

  private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST = TimeUnit.SECONDS.toNanos(2);

  private final Supplier<CompletionStage<C>> source;
  private final Timer timer;
  private final CompletableFuture<C> firstAttempt = new CompletableFuture<>();
  private volatile @Nullable C connection;
  private volatile String missing = "Redis is not connected yet";
  private volatile boolean closed;

  // The attempt that is under way, and when to begin the next one; the timer looks at both.
  private @Nullable CompletableFuture<C> attempt;
  private long pause = SHORTEST;
  private long next;

  Connection(Supplier<CompletionStage<C>> source, Timer timer) {
    this.source = source;
    this.timer = timer;
    next = System.nanoTime();
    timer.add(this);
  }

  @Override
  public synchronized long look(long now) {
    if (closed || connection != null) {
      return Timer.NEVER;
    }
    CompletableFuture<C> current = attempt;
    if (current != null) {
      if (!current.isDone()) {
        return LONGEST; // its end wakes the timer; this is for an end that nobody was told of
      }
      attempt = null;
      if (examine(current)) {
        return Timer.NEVER;
      }
      next = now + pause;
      pause = Math.min(LONGEST, 2 * pause);
    }
    if (next - now > 0) {
      return next - now;
    }
    next = now + LONGEST; // should what follows fail
    CompletableFuture<C> begun = begin();
    attempt = begun;
    CompletionStage<C> unused = begun.whenComplete((made, failure) -> ended(begun));
    return LONGEST;
  }

  private CompletableFuture<C> begin() {
    try {
      return source.get().toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Takes a good end over at once; after a bad one the timer begins again. */
  private void ended(CompletableFuture<C> attempt) {
    boolean unused = !attempt.isCompletedExceptionally() && examine(attempt);
    timer.wake();
  }

  /** Returns whether there is a connection now. */
  private boolean examine(CompletableFuture<C> attempt) {
    try {
      C made = attempt.join();
      connection = made;
      firstAttempt.complete(made);
      if (closed) {
        made.close();
      }
      return true;
    } catch (RuntimeException e) {
      Throwable cause = StoreFailure.unwrap(e);
      missing = "Redis cannot be reached: " + deepest(cause);
      firstAttempt.completeExceptionally(cause);
      return false;
    }
  }

  private static String deepest(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; i < 10 && cause.getCause() != null; i++) {
      cause = cause.getCause();
    }
    // Of a cluster Lettuce tells on several lines, and a reason is one sentence.
    return StoreFailure.reason(cause).strip().replaceAll("\\s+", " ");
  }

  /** The end of the first attempt, good or bad. */
  CompletableFuture<C> firstAttempt() {
    return firstAttempt;
  }

  @Nullable C get() {
    return connection;
  }

  String missing() {
    return missing;
  }

  void close() {
    closed = true;
    C made = connection;
    if (made != null) {
      made.close();
    }
  }
}
