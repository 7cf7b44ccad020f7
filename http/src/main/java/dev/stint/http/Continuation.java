package dev.stint.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a request goes on once its store has answered.
 *
 * <p>If the answer is there at once, as with memory, on the thread that asked. If not, on a thread
 * of an executor: never on the thread that brings the answer, because it brings all others too, and
 * what follows is the application's code, which may wait.
 */
final class Continuation {

  private Continuation() {}

  /**
   * What {@code then} makes of the answer.
   *
   * @param undo is given the answer in its place if the executor does not take the work
   */
  static <T, R> CompletionStage<R> of(
      CompletionStage<T> asked, Executor executor, Function<T, R> then, Consumer<T> undo) {
    CompletableFuture<T> answer = asked.toCompletableFuture();
    if (answer.isDone()) {
      return answer.thenApply(then);
    }
    CompletableFuture<R> result = new CompletableFuture<>();
    var unused =
        answer.whenComplete(
            (given, failure) -> {
              try {
                executor.execute(() -> complete(result, given, failure, then));
              } catch (RuntimeException | Error e) { // no thread left, for example
                if (failure == null) {
                  undo.accept(given);
                }
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  private static <T, R> void complete(
      CompletableFuture<R> result, T given, @Nullable Throwable failure, Function<T, R> then) {
    if (failure != null) {
      result.completeExceptionally(failure);
      return;
    }
    try {
      result.complete(then.apply(given));
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
    }
  }
}
