package dev.stint.memory;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The stripes of two tables whose locks one caller has taken.
 *
 * <p>Taking a lock at the end of the stack may throw although the lock was taken: Java lets the
 * taking complete and throws then. So a lock is recorded before it is taken, and whether it was is
 * asked when it is given back.
 */
final class StripeLocks {

  private final Table first;
  private final Table second;
  private long inFirst;
  private long inSecond;

  /**
   * No locks yet.
   *
   * @param second the table whose locks are taken after those of {@code first}; may be the same
   */
  StripeLocks(Table first, Table second) {
    this.first = first;
    this.second = second;
  }

  /** Takes locks of a table, ascending. */
  void lock(Table table, long stripes) {
    for (long rest = stripes; rest != 0; rest &= rest - 1) {
      long stripe = rest & -rest;
      if (table == first) {
        inFirst |= stripe;
      } else {
        inSecond |= stripe;
      }
      table.lock(Long.numberOfTrailingZeros(stripe)).lock();
    }
  }

  boolean isEmpty() {
    return (inFirst | inSecond) == 0;
  }

  boolean has(Table table, int stripe) {
    return ((table == first ? inFirst : inSecond) & 1L << stripe) != 0;
  }

  /** Gives a lock back, if it was taken. */
  static void unlock(ReentrantLock lock) {
    if (lock.isHeldByCurrentThread()) {
      lock.unlock();
    }
  }

  void unlock() {
    while (inSecond != 0) {
      unlock(second.lock(Long.numberOfTrailingZeros(inSecond)));
      inSecond &= inSecond - 1;
    }
    while (inFirst != 0) {
      unlock(first.lock(Long.numberOfTrailingZeros(inFirst)));
      inFirst &= inFirst - 1;
    }
  }
}
