package dev.stint.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Looks for expired states in a full table, a few thousand rows for each caller who needs one.
 *
 * <p>It goes round the whole table over many calls. It looks at all only while there may be
 * something to find: in the middle of a round, or once the earliest expiry known has passed. So a
 * flood of new keys on a table full of debts costs no more than a comparison each, as long as none
 * of those is due.
 */
final class PressedSweep {

  private static final int ROWS_PER_CALL = 8192;

  private final ReentrantLock lock = new ReentrantLock();

  // Zero between two rounds.
  private volatile int step;

  // No state expires before this, as far as rounds completed and states written since have shown.
  private final AtomicLong earliest = new AtomicLong(Long.MAX_VALUE);

  /** Notes that a state may expire as early as this. */
  void expiresAt(long moment) {
    if (moment < earliest.get()) {
      earliest.accumulateAndGet(moment, Math::min);
    }
  }

  /** Whether a state could be forgotten. */
  boolean frees(Table table, long now) {
    if (step == 0 && earliest.get() > now) {
      return false;
    }
    lock.lock();
    try {
      if (step == 0) {
        earliest.set(Long.MAX_VALUE);
      }
      long freed = 0;
      for (int looked = 0; freed == 0 && looked < ROWS_PER_CALL; ) {
        looked += table.rowsOf(step);
        freed += table.sweep(step, now, false);
        step = (step + 1) % table.sweepSteps();
        if (step == 0) {
          break;
        }
      }
      return freed > 0;
    } finally {
      lock.unlock();
    }
  }
}
