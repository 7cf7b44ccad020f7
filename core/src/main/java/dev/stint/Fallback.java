package dev.stint;

import dev.stint.algorithm.Operation;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that turns to another when it cannot be asked, see {@link Store#orElse}. */
final class Fallback implements Store {

  private final Store primary;
  private final Store fallback;

  Fallback(Store primary, Store fallback) {
    if (fallback == null) {
      throw new IllegalArgumentException("fallback must not be null");
    }
    this.primary = primary;
    this.fallback = fallback;
  }

  @Override
  public Decision run(Operation operation, Limit limit, Key key, long amount) {
    Store.check(operation, limit, key, amount);
    if (!operation.asks()) {
      return Store.super.run(operation, limit, key, amount);
    }
    try {
      return primary.run(operation, limit, key, amount);
    } catch (StoreException e) {
      return askFallback(operation, List.of(new KeyedLimit(limit, key, amount)), e);
    }
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    Store.check(operation, limits);
    if (operation == Operation.RESET) {
      return reset(limits);
    }
    if (!operation.asks()) {
      return placeOf(operation, limits).run(operation, limits);
    }
    try {
      return primary.run(operation, limits);
    } catch (StoreException e) {
      return askFallback(operation, limits, e);
    }
  }

  private Decision askFallback(
      Operation operation, List<KeyedLimit> limits, StoreException failure) {
    Decision answer;
    try {
      answer = fallback.run(operation, limits);
    } catch (StoreException e) {
      throw new BothFailed(failure, e);
    }
    return instead(answer, failure);
  }

  /** The fallback's answer, of which the store that failed is told. */
  private Decision instead(Decision answer, StoreException failure) {
    Decision degraded = answer.insteadOf(fallback, Calls.reason(failure));
    failure.answered(degraded.allowed());
    return degraded;
  }

  @Override
  public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    Store.check(operation, limits);
    if (operation == Operation.RESET) {
      return start(primary, operation, limits)
          .thenCombine(start(fallback, operation, limits), (answer, also) -> answer);
    }
    if (!operation.asks()) {
      return start(placeOf(operation, limits), operation, limits);
    }
    return start(primary, operation, limits)
        .exceptionallyCompose(
            thrown -> {
              StoreException failure = Calls.failure(thrown);
              return start(fallback, operation, limits)
                  .exceptionally(
                      second -> {
                        throw new BothFailed(failure, Calls.failure(second));
                      })
                  .thenApply(answer -> instead(answer, failure));
            });
  }

  /** Runs an operation; a store that fails before it has a future fails like any other. */
  private static CompletionStage<Decision> start(
      Store store, Operation operation, List<KeyedLimit> limits) {
    try {
      return store.runAsync(operation, limits);
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Who is told what is not a question: one decision's charges were all made in one place. */
  private Store placeOf(Operation operation, List<KeyedLimit> limits) {
    boolean astray = operation == Operation.UNDO && limits.get(0).wasChargedBy(fallback);
    return astray ? fallback : primary;
  }

  /** Tells both, whichever of them fails. */
  private Decision reset(List<KeyedLimit> limits) {
    Decision answer;
    try {
      answer = primary.run(Operation.RESET, limits);
    } catch (StoreException e) {
      try {
        fallback.run(Operation.RESET, limits);
      } catch (StoreException second) {
        throw new BothFailed(e, second);
      }
      throw e;
    }
    fallback.run(Operation.RESET, limits);
    return answer;
  }

  /** Says that neither store could be asked. How the call is answered concerns both. */
  private static final class BothFailed extends StoreException {

    private static final long serialVersionUID = 1;

    private final StoreException second;

    BothFailed(StoreException first, StoreException second) {
      super(Calls.reason(first) + "; its fallback failed too: " + Calls.reason(second), first);
      this.second = second;
      addSuppressed(second);
    }

    @Override
    public void answered(boolean admitted) {
      super.answered(admitted);
      second.answered(admitted);
    }
  }

  @Override
  public Optional<String> trouble() {
    return primary.trouble();
  }

  @Override
  public long clean() {
    return fallback.clean() + primary.clean();
  }

  @Override
  public boolean keepsKeys() {
    return primary.keepsKeys() || fallback.keepsKeys();
  }

  @Override
  public void prepare(Collection<Limit> limits) {
    primary.prepare(limits);
    fallback.prepare(limits);
  }

  @Override
  public TimeSource time() {
    return primary.time();
  }

  @Override
  public void close() {
    try {
      primary.close();
    } finally {
      fallback.close();
    }
  }
}
