package dev.stint.redis;

import io.lettuce.core.api.StatefulConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is tried again until it succeeds for the first time. From then on Lettuce keeps
 * it alive by itself.
 */
final class Connection<C extends StatefulConnection<byte[], byte[]>> {

  private static final long SHORTEST = 50;
  private static final long LONGEST = 2000;

  private final Supplier<CompletionStage<C>> attempt;
  private final Timer timer;
  private final CompletableFuture<C> firstAttempt = new CompletableFuture<>();
  private volatile @Nullable C connection;
  private volatile String missing = "Redis is not connected yet";
  private volatile boolean closed;

  Connection(Supplier<CompletionStage<C>> attempt, Timer timer) {
    this.attempt = attempt;
    this.timer = timer;
    attempt(SHORTEST);
  }

  private void attempt(long millis) {
    if (closed) {
      return;
    }
    CompletionStage<C> result;
    try {
      result = attempt.get();
    } catch (RuntimeException e) {
      result = CompletableFuture.failedFuture(e);
    }
    CompletionStage<C> unused =
        result.whenComplete(
            (made, failure) -> {
              if (made != null) {
                connection = made;
                firstAttempt.complete(made);
              } else {
                Throwable cause = StoreFailure.unwrap(failure);
                missing = "Redis cannot be reached: " + deepest(cause);
                firstAttempt.completeExceptionally(cause);
                timer.afterMillis(millis, () -> attempt(Math.min(LONGEST, 2 * millis)));
              }
            });
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
