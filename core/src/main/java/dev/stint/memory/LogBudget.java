package dev.stint.memory;

import java.util.concurrent.atomic.LongAdder;

/** How many log entries a store may have room for, over all keys, and has. */
final class LogBudget {

  private final LongAdder rented = new LongAdder();
  private final long most;

  LogBudget(long most) {
    this.most = most;
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
