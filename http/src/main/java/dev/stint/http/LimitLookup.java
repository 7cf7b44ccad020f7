package dev.stint.http;

import dev.stint.Limit;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the limits of a request for a rule that has none of its own. Whatever goes wrong, a null
 * and an empty list included, is a failed future.
 */
record LimitLookup(
    Function<Request, ? extends @Nullable CompletionStage<? extends Collection<Limit>>> find) {

  CompletableFuture<List<Limit>> of(Request request) {
    try {
      CompletionStage<? extends Collection<Limit>> found = find.apply(request);
      return found == null
          ? CompletableFuture.failedFuture(missing())
          : found.<List<Limit>>thenApply(LimitLookup::checked).toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Of limits that are there at once. */
  static LimitLookup atOnce(Function<Request, ? extends @Nullable Collection<Limit>> find) {
    return new LimitLookup(request -> CompletableFuture.completedFuture(find.apply(request)));
  }

  private static List<Limit> checked(@Nullable Collection<Limit> limits) {
    if (limits == null || limits.isEmpty() || limits.stream().anyMatch(limit -> limit == null)) {
      throw missing();
    }
    return List.copyOf(limits);
  }

  private static IllegalStateException missing() {
    return new IllegalStateException("the limits of a request must not be null or empty");
  }
}
