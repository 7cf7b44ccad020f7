package dev.stint.memory;

import dev.stint.algorithm.Log;
import dev.stint.algorithm.State;
import java.util.concurrent.atomic.LongAdder;

/** How many log entries a store may have room for, over all keys, and has. */
final class LogBudget {

  private final LongAdder rented = new LongAdder();
  private final long most;

  LogBudget(long most) {
    this.most = most;
  }

  /** The entries that a state's log has room for. */
  int roomOf(State state) {
    Log log = state.log;
    return log == null ? 0 : log.room();
  }

  void rent(int entries) {
    if (entries != 0) {
      rented.add(entries);
    }
  }

  long rented() {
    return rented.sum();
  }

  boolean isSpent() {
    return rented.sum() >= most;
  }
}
