package dev.stint.contract;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** A store that counts in another, and fails while it is told to. */
final class FailingStore implements Store {

  private final Store inner;
  private Supplier<RuntimeException> failure;
  private Function<RuntimeException, CompletionStage<Decision>> future =
      CompletableFuture::failedFuture;
  private boolean closed;

  FailingStore(Store inner) {
    this.inner = inner;
  }

  /** From now on, it cannot be reached. */
  FailingStore fail(String reason) {
    return fail(() -> new StoreException(reason));
  }

  FailingStore fail(Supplier<RuntimeException> failure) {
    this.failure = failure;
    return this;
  }

  /** How a future tells of a failure. */
  FailingStore failAsync(Function<RuntimeException, CompletionStage<Decision>> future) {
    this.future = future;
    return this;
  }

  void recover() {
    failure = null;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    check();
    return inner.run(operation, limits);
  }

  @Override
  public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    return failure == null ? inner.runAsync(operation, limits) : future.apply(failure.get());
  }

  @Override
  public Optional<String> trouble() {
    return failure == null ? Optional.empty() : Optional.of(failure.get().getMessage());
  }

  @Override
  public void prepare(Collection<Limit> limits) {
    inner.prepare(limits);
  }

  @Override
  public long clean() {
    check();
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
    check();
  }

  private void check() {
    if (failure != null) {
      throw failure.get();
    }
  }
}
