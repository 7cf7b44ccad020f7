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
   * Counts what a row's log has room for now.
   *
   * <p>Each log remembers what was counted for it. So a call that failed between the growth of a
   * log and this leaves a difference that the next one makes good.
   */
  void settle(@Nullable Log before, @Nullable Log after) {
    if (before != null && before != after) {
      count(before, 0);
    }
    if (after != null) {
      count(after, after.room());
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
