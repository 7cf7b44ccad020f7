package dev.stint.benchmarks;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Does many things that end later, so many at once. */
final class Windowed {

  private Windowed() {}

  /** Returns when all have ended; fails if one has failed. */
  static void run(int count, int atOnce, IntFunction<CompletionStage<?>> action)
      throws InterruptedException {
    Semaphore free = new Semaphore(atOnce);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    for (int i = 0; i < count && failure.get() == null; i++) {
      free.acquire();
      CompletionStage<?> unused =
          action
              .apply(i)
              .whenComplete(
                  (done, failed) -> {
                    if (failed != null) {
                      failure.compareAndSet(null, failed);
                    }
                    free.release();
                  });
    }
    free.acquire(atOnce);
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("every key must be prepared", failed);
    }
  }
}
