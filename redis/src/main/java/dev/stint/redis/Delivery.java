package dev.stint.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Hands results over to the application, on threads where it may do as it likes.
 *
 * <p>Inside, futures complete on Lettuce's I/O threads and on the timer's thread, of which there
 * are few; a continuation that blocked one of them would delay every other call.
 */
final class Delivery {

  private final Executor executor;

  Delivery(Executor executor) {
    this.executor = executor;
  }

  /** A future for the application; done at once if there is nothing to wait for. */
  <T> CompletionStage<T> of(CompletableFuture<T> inside) {
    Outside<T> outside = new Outside<>(inside, executor);
    if (inside.isDone()) {
      outside.run();
    } else {
      CompletionStage<T> unused = inside.whenComplete(outside::arrived);
    }
    return outside;
  }

  /** What the application sees. All that is needed to complete it is there beforehand. */
  private static final class Outside<T> extends CompletableFuture<T> implements Runnable {

    private final CompletableFuture<T> inside;
    private final Executor executor;

    Outside(CompletableFuture<T> inside, Executor executor) {
      this.inside = inside;
      this.executor = executor;
    }

    private void arrived(@Nullable T value, @Nullable Throwable failure) {
      try {
        executor.execute(this);
      } catch (Throwable e) {
        run(); // late or on the wrong thread is better than never
      }
    }

    @Override
    public void run() {
      try {
        complete(inside.join());
      } catch (Throwable e) {
        completeExceptionally(StoreFailure.unwrap(e));
      }
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      return new CompletableFuture<>(); // what is derived has nothing to do with the delivery
    }
  }
}
