package dev.stint.spring;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import java.util.List;
import java.util.Optional;

/** A store that cannot be asked, until it is mended. */
final class BrokenStore implements Store {

  private volatile boolean broken = true;

  void mend() {
    broken = false;
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    if (broken) {
      throw new StoreException("the cable is out", null);
    }
    return Store.admitting().run(operation, limits);
  }

  @Override
  public Optional<String> trouble() {
    return broken ? Optional.of("the cable is out") : Optional.empty();
  }

  @Override
  public long clean() {
    return 0;
  }

  @Override
  public TimeSource time() {
    return TimeSource.system();
  }

  @Override
  public void close() {}
}
