package dev.stint.spring;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.algorithm.Operation;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A store whose hits are counted and timed; all other operations are no decisions. */
final class MeteredStore extends WrappedStore {

  private final DecisionMeters meters;

  MeteredStore(Store inner, DecisionMeters meters) {
    super(inner);
    this.meters = meters;
  }

  @Override
  public Decision run(Operation operation, Limit limit, Key key, long amount) {
    if (operation != Operation.HIT) {
      return inner.run(operation, limit, key, amount);
    }
    long began = meters.nanos();
    Decision answer = inner.run(operation, limit, key, amount);
    meters.count(limit, answer, began);
    return answer;
  }

  @Override
  public Decision ask(Operation operation, Limit limit, Key key, long cost) {
    if (operation != Operation.HIT) {
      return inner.ask(operation, limit, key, cost);
    }
    long began = meters.nanos();
    Decision answer = inner.ask(operation, limit, key, cost);
    meters.count(limit, answer, began);
    return answer;
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    if (operation != Operation.HIT) {
      return inner.run(operation, limits);
    }
    long began = meters.nanos();
    Decision answer = inner.run(operation, limits);
    meters.count(limits, answer, began);
    return answer;
  }

  @Override
  public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    if (operation != Operation.HIT) {
      return inner.runAsync(operation, limits);
    }
    long began = meters.nanos();
    return inner
        .runAsync(operation, limits)
        .thenApply(
            answer -> {
              meters.count(limits, answer, began);
              return answer;
            });
  }
}
