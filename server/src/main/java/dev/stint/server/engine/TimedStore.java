package dev.stint.server.engine;

import dev.stint.Decision;
import dev.stint.ForwardingStore;
import dev.stint.KeyedLimit;
import dev.stint.Store;
import dev.stint.algorithm.Operation;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A remote store whose round trips are timed, apart from all else that a decision takes. */
final class TimedStore extends ForwardingStore {

  private final RoundTrips trips;

  TimedStore(Store inner, RoundTrips trips) {
    super(inner);
    this.trips = trips;
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    long start = System.nanoTime();
    boolean answered = false;
    try {
      Decision decision = inner().run(operation, limits);
      answered = true;
      return decision;
    } finally {
      trips.ended(answered, System.nanoTime() - start);
    }
  }

  @Override
  public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    long start = System.nanoTime();
    return inner()
        .runAsync(operation, limits)
        .whenComplete(
            (decision, failure) -> trips.ended(failure == null, System.nanoTime() - start));
  }
}
