package dev.stint.redis;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that counts the calls to another, and holds them back or fails when told to. */
final class WatchedStore implements Store {

  private final Store inner;
  private final AtomicInteger calls = new AtomicInteger();
  private volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);
  private volatile boolean closed;

  WatchedStore(Store inner) {
    this.inner = inner;
  }

  int calls() {
    return calls.get();
  }

  boolean isClosed() {
    return closed;
  }

  /** Calls in futures are carried out only when the gate that this returns is completed. */
  CompletableFuture<Void> hold() {
    gate = new CompletableFuture<>();
    return gate;
  }

  /** All calls fail from now on. */
  void fail() {
    gate = CompletableFuture.failedFuture(new StoreException("gone"));
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    calls.incrementAndGet();
    if (gate.isCompletedExceptionally()) {
      throw new StoreException("gone");
    }
    return inner.run(operation, limits);
  }

  @Override
  public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    calls.incrementAndGet();
    return gate.thenCompose(open -> inner.runAsync(operation, limits));
  }

  @Override
  public void prepare(Collection<Limit> limits) {
    inner.prepare(limits);
  }

  @Override
  public long clean() {
    return inner.clean();
  }

  @Override
  public TimeSource time() {
    return inner.time();
  }

  @Override
  public void close() {
    closed = true;
    inner.close();
  }
}
