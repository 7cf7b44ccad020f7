package dev.stint.http;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store that remembers what it last decided. */
public final class LastDecision implements Store {

  private final Store store;
  private volatile @Nullable Decision last;

  /** Remembers the decisions of {@code store}. */
  public LastDecision(Store store) {
    this.store = store;
  }

  /** What was last decided. */
  public Decision get() {
    return last;
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    Decision decision = store.run(operation, limits);
    last = decision;
    return decision;
  }

  @Override
  public void prepare(Collection<Limit> limits) {
    store.prepare(limits);
  }

  @Override
  public long clean() {
    return store.clean();
  }

  @Override
  public TimeSource time() {
    return store.time();
  }

  @Override
  public void close() {
    store.close();
  }
}
