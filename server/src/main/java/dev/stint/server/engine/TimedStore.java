package dev.stint.server.engine;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A remote store whose round trips are timed, apart from all else that a decision takes. */
final class TimedStore implements Store {

  private final Store inner;
  private final RoundTrips trips;

  TimedStore(Store inner, RoundTrips trips) {
    this.inner = inner;
    this.trips = trips;
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    long start = System.nanoTime();
    boolean answered = false;
    try {
      Decision decision = inner.run(operation, limits);
      answered = true;
      return decision;
    } finally {
      trips.ended(answered, System.nanoTime() - start);
    }
  }

  @Override
  public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    long start = System.nanoTime();
    return inner
        .runAsync(operation, limits)
        .whenComplete(
            (decision, failure) -> trips.ended(failure == null, System.nanoTime() - start));
  }

  @Override
  public Optional<String> trouble() {
    return inner.trouble();
  }

  @Override
  public void prepare(Collection<Limit> limits) {
    inner.prepare(limits);
  }

  @Override
  public boolean keepsKeys() {
    return inner.keepsKeys();
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
    inner.close();
  }
}
