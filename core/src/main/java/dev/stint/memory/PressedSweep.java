package dev.stint.memory;

import dev.stint.memory.Clock.Reading;
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

  // A lower bound on the earliest expiry of states on this clock, from the last full round and
  // later
  // writes.
  private final AtomicLong earliestMonotonic = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong earliestWall = new AtomicLong(Long.MAX_VALUE);

  /** Notes that the state of this fingerprint may expire as early as this. */
  void expiresAt(long high, long moment) {
    lower(Table.followsWallClock(high) ? earliestWall : earliestMonotonic, moment);
  }

  private static void lower(AtomicLong earliest, long moment) {
    for (long known = earliest.get(); moment < known; known = earliest.get()) {
      if (earliest.compareAndSet(known, moment)) {
        return;
      }
    }
  }

  /** Whether a state could be forgotten. */
  boolean frees(Table table, Reading now) {
    if (step == 0 && earliestMonotonic.get() > now.monotonic() && earliestWall.get() > now.wall()) {
      return false;
    }
    boolean done = false;
    try {
      lock.lock();
      if (step == 0) {
        earliestMonotonic.set(Long.MAX_VALUE);
        earliestWall.set(Long.MAX_VALUE);
      }
      boolean freed = look(table, now);
      done = true;
      return freed;
    } finally {
      if (!done) { // what was seen is incomplete: the next caller looks again
        earliestMonotonic.set(Long.MIN_VALUE);
      }
      StripeLocks.unlock(lock);
    }
  }

  private boolean look(Table table, Reading now) {
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
  }
}
