package dev.stint.memory;

import dev.stint.algorithm.Log;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How many log entries a store may have room for, over all keys, and has. */
final class LogBudget {

  private final LongAdder rented = new LongAdder();
  private final long most;

  LogBudget(long most) {
    this.most = most;
  }

  /**
   * Counts what a log has room for now, after it has come to lie in a row.
   *
   * <p>Each log remembers what was counted for it. So a call that failed before this leaves a
   * difference that the next one makes good.
   */
  void add(@Nullable Log log) {
    if (log != null) {
      count(log, log.room());
    }
  }

  /** Counts a log no longer, before it is removed from its row. */
  void remove(@Nullable Log log) {
    if (log != null) {
      count(log, 0);
    }
  }

  private void count(Log log, int entries) {
    int more = entries - log.counted;
    if (more != 0) {
      rented.add(more);
      log.counted = entries;
    }
  }

  long rented() {
    return rented.sum();
  }

  boolean isSpent() {
    return rented.sum() >= most;
  }
}
