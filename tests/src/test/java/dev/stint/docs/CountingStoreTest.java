package dev.stint.docs;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.StoreContract;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

// As in docs/testing.md.
class CountingStoreTest extends StoreContract {

  @Override
  protected Store store(TimeSource time) {
    return new CountingStore(MemoryStore.builder().time(time).build());
  }

  /** A store that counts what another one refuses. */
  static final class CountingStore implements Store {
    private final Store inner;
    private final LongAdder refused = new LongAdder();

    CountingStore(Store inner) {
      this.inner = inner;
    }

    @Override
    public Decision run(Operation operation, List<KeyedLimit> limits) {
      Decision decision = inner.run(operation, limits);
      if (operation == Operation.HIT && !decision.allowed()) {
        refused.increment();
      }
      return decision;
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
      inner.close();
    }
  }
}
