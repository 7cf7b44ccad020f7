package dev.stint;

import dev.stint.algorithm.Operation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A place where limits are counted; all it knows is how to run an operation atomically.
 *
 * <p>Users hand a store to {@link RateLimiter#of(Store, Limit...)} and talk to that. Implement one
 * to count elsewhere, and have its test extend {@code StoreContract} of the test kit. The numbers
 * of an operation (a hit's cost, the n of a set) are the {@linkplain KeyedLimit#cost() costs} of
 * the limits.
 *
 * <p>A store is safe for use by many threads.
 */
public interface Store extends AutoCloseable {

  /**
   * Runs an operation on several limits together, all or nothing.
   *
   * @return every limit's answer and which one decided
   * @throws StoreException if the store cannot be asked
   */
  Decision run(Operation operation, List<KeyedLimit> limits);

  /** Runs an operation on one limit. Override it where that can be done for less. */
  default Decision run(Operation operation, Limit limit, Key key, long amount) {
    return run(operation, List.of(new KeyedLimit(limit, key, amount)));
  }

  /**
   * A hit or a peek that never fails: when the store cannot be asked, the request is admitted, and
   * the decision says why. A store that cannot fail has nothing to catch.
   */
  default Decision ask(Operation operation, Limit limit, Key key, long cost) {
    try {
      return run(operation, limit, key, cost);
    } catch (StoreException e) {
      return Calls.degraded(this, List.of(new KeyedLimit(limit, key, cost)), e);
    }
  }

  /** As {@link #run(Operation, List)}, without blocking a thread where the store is far away. */
  default CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    try {
      return CompletableFuture.completedFuture(run(operation, limits));
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Forgets everything that has expired, and tells how many states that were. */
  long clean();

  /** The clock that this store decides by. */
  TimeSource time();

  /** Releases what the store holds. */
  @Override
  void close();
}
