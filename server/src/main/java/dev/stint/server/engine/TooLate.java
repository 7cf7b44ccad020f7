package dev.stint.server.engine;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import java.util.List;

/** A store that is not asked, because there is no time left to wait for it. */
record TooLate(TimeSource time) implements Store {

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    throw new StoreException("there was no time left to ask it");
  }

  @Override
  public long clean() {
    return 0;
  }

  @Override
  public void close() {}
}
