package dev.stint.memory;

import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.Log;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A hash table from fingerprints to states, at most so many of them, made of small {@link Segment}s.
 *
 * <p>A segment that is crowded is rebuilt alone, in a fraction of a millisecond, so nobody waits for
 * the growth of the whole. Rebuilt, it is two thirds full, and at four fifths it is crowded again: 40
 * to 48 bytes for each state.
 *
 * <p>A state is counted in {@link #size} from when its row stops being absent until it is absent
 * again. Room is {@linkplain #reserve reserved} first, so the bound is never passed.
 */
final class Table {

  /** Rows that one caller looks at, at most, to find an expired one when the table is full. */
  private static final int PRESSED_STEP = 8192;

  private static final int SEGMENT_STATES = 8192;
  private static final int SMALLEST_SEGMENT = 8;
  private static final int LOCKS = 64;

  private final Packing packing;
  private final long most;
  private final AtomicReferenceArray<Segment> segments;
  private final ReentrantLock[] locks = new ReentrantLock[LOCKS];
  private final AtomicLong size = new AtomicLong();
  private final LogBudget logBudget;

  // A full table is searched for expired states only when there may be one: while a search is under
  // way, or once the earliest expiry that the last one saw has passed.
  private final ReentrantLock pressed = new ReentrantLock();
  private final AtomicLong earliest = new AtomicLong(Long.MAX_VALUE);
  private volatile int pressedAt;

  Table(Packing packing, LogBudget logBudget, long most) {
    this.packing = packing;
    this.logBudget = logBudget;
    this.most = most;
    int count = 16;
    while ((long) count * SEGMENT_STATES < most) {
      count <<= 1;
    }
    segments = new AtomicReferenceArray<>(count);
    Segment empty = new Segment(1);
    for (int i = 0; i < count; i++) {
      segments.setPlain(i, empty);
    }
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  /** How many states there are. */
  long size() {
    return size.get();
  }

  Segment segment(long low) {
    return segments.getAcquire(index(low));
  }

  private int index(long low) {
    return (int) low & (segments.length() - 1);
  }

  /** Which lock guards the segment of this fingerprint. Locks are taken in this order. */
  int stripe(long low) {
    return index(low) & (LOCKS - 1);
  }

  ReentrantLock lock(int stripe) {
    return locks[stripe];
  }

  /**
   * Runs an operation on a state that is there.
   *
   * @return null if none is
   */
  @Nullable Outcome run(
      Operation operation, Algorithm algorithm, long now, long amount, long high, long low) {
    for (int tries = 1; ; tries++) {
      Segment segment = segment(low);
      int row = segment.find(high, low);
      if (row < 0) {
        return null;
      }
      long word = segment.first(row);
      if (Packing.isNarrow(word)) {
        State state = new State();
        packing.openNarrow(word, algorithm, state);
        Outcome outcome = Evaluation.run(operation, algorithm, state, now, amount);
        if (!outcome.changed()) {
          return outcome;
        }
        if (state.present) {
          long next = packing.narrow(state, outcome.resetAt());
          if (next != Packing.UNFIT) {
            if (segment.swap(row, word, next)) {
              noteExpiry(operation, outcome);
              return outcome;
            }
            continue;
          }
        }
      }
      if (word == Packing.ABSENT) {
        return null;
      }
      if (!Packing.isState(word)) {
        await(low, word, tries);
      } else if (segment.hold(row, word)) {
        return runHeld(operation, algorithm, now, amount, segment, row, word);
      }
    }
  }

  private Outcome runHeld(
      Operation operation,
      Algorithm algorithm,
      long now,
      long amount,
      Segment segment,
      int row,
      long word) {
    long next = word;
    try {
      State state = open(segment, row, word, algorithm);
      int room = logBudget.roomOf(state);
      Outcome outcome = Evaluation.run(operation, algorithm, state, now, amount);
      if (outcome.changed()) {
        next = close(segment, row, state, outcome, room);
      }
      return outcome;
    } finally {
      segment.release(row, next);
      if (next == Packing.ABSENT) {
        size.decrementAndGet();
      }
    }
  }

  /** The state of a row held by the caller. */
  State open(Segment segment, int row, long word, Algorithm algorithm) {
    State state = new State();
    packing.open(segment, row, word, algorithm, state);
    state.frugal = state.log != null && logBudget.isSpent();
    return state;
  }

  /** Writes a changed state into a row held by the caller, and returns the word to release it with. */
  long close(Segment segment, int row, State state, Outcome outcome, int room) {
    long next = packing.close(segment, row, state, outcome.resetAt());
    if (!Packing.isBoxed(next)) {
      segment.boxed(row, null);
    }
    logBudget.rent(logBudget.roomOf(state) - room);
    if (next != Packing.ABSENT) {
      expiresAt(outcome.resetAt());
    }
    return next;
  }

  /** The entries that the log of a state has room for. */
  int roomOf(State state) {
    return logBudget.roomOf(state);
  }

  /** Waits for whoever holds a row or moves it. */
  void await(long low, long word, int tries) {
    if (word == Packing.MOVED) {
      ReentrantLock lock = lock(stripe(low));
      lock.lock();
      lock.unlock();
    } else if (tries % 32 == 0) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }

  /** The row of a fingerprint, made if need be, with an absent state. Under the segment's lock. */
  void ensureRow(long high, long low, long now) {
    Segment segment = segment(low);
    if (segment.find(high, low) >= 0) {
      return;
    }
    if (segment.isCrowded()) {
      segment = rebuild(index(low), segment, now);
    }
    segment.take(high, low, Packing.ABSENT, 0);
  }

  /** Whether a fingerprint has a state, expired or not. */
  boolean has(long high, long low) {
    Segment segment = segment(low);
    int row = segment.find(high, low);
    return row >= 0 && segment.first(row) != Packing.ABSENT;
  }

  /** Whether a fingerprint has a state that has not expired. */
  boolean isLive(long high, long low, long now) {
    for (int tries = 1; ; tries++) {
      Segment segment = segment(low);
      int row = segment.find(high, low);
      long word = row < 0 ? Packing.ABSENT : segment.first(row);
      if (Packing.isState(word)) {
        return packing.expiry(word) > now;
      }
      if (word == Packing.ABSENT) {
        return false;
      }
      await(low, word, tries);
    }
  }

  /** Makes room for one more state, or says that every one there is still counts. */
  boolean reserve(long now) {
    for (; ; ) {
      long count = size.get();
      if (count < most) {
        if (size.compareAndSet(count, count + 1)) {
          return true;
        }
      } else if (!sweepPressed(now)) {
        return false;
      }
    }
  }

  /** Gives a reservation back, or the room of a state that is absent now. */
  void unreserve() {
    size.decrementAndGet();
  }

  /** Notes a new expiry where it may lie before the old one, as only a hit's never does. */
  private void noteExpiry(Operation operation, Outcome outcome) {
    if (operation != Operation.HIT) {
      expiresAt(outcome.resetAt());
    }
  }

  /** Notes that a state may expire as early as this. */
  private void expiresAt(long moment) {
    if (moment < earliest.get()) {
      earliest.accumulateAndGet(moment, Math::min);
    }
  }

  private boolean sweepPressed(long now) {
    if (pressedAt == 0 && earliest.get() > now) {
      return false;
    }
    pressed.lock();
    try {
      long freed = 0;
      int looked = 0;
      if (pressedAt == 0) {
        earliest.set(Long.MAX_VALUE);
      }
      while (freed == 0 && looked < PRESSED_STEP) {
        Segment segment = segments.getAcquire(pressedAt);
        freed += sweep(segment, now, false);
        looked += segment.rows;
        pressedAt = (pressedAt + 1) % segments.length();
        if (pressedAt == 0) {
          break;
        }
      }
      return freed > 0 || size.get() < most;
    } finally {
      pressed.unlock();
    }
  }

  /** How many steps a whole sweep takes. */
  int sweepSteps() {
    return segments.length();
  }

  /** One step of a sweep: forgets what has expired in one segment, and trims its logs. */
  long sweep(int step, long now) {
    return sweep(segments.getAcquire(step), now, true);
  }

  private long sweep(Segment segment, long now, boolean trim) {
    long freed = 0;
    for (int n = 0; n < segment.rows; n++) {
      int row = Segment.at(n);
      long word = segment.first(row);
      if (!Packing.isState(word)) {
        continue;
      }
      long expiry = packing.expiry(word);
      if (expiry <= now) {
        freed += forget(segment, row, word);
      } else {
        expiresAt(expiry);
        if (trim && Packing.isBoxed(word)) {
          trim(segment, row, word);
        }
      }
    }
    return freed;
  }

  private int forget(Segment segment, int row, long word) {
    if (!segment.hold(row, word)) {
      return 0;
    }
    if (segment.boxed(row) instanceof Log log) {
      logBudget.rent(-log.room());
    }
    segment.boxed(row, null);
    segment.release(row, Packing.ABSENT);
    unreserve();
    return 1;
  }

  private void trim(Segment segment, int row, long word) {
    if (segment.hold(row, word)) {
      if (segment.boxed(row) instanceof Log log) {
        int room = log.room();
        log.trim();
        logBudget.rent(log.room() - room);
      }
      segment.release(row, word);
    }
  }

  /** Moves what still counts to a new segment. Under the segment's lock. */
  private Segment rebuild(int index, Segment old, long now) {
    long[] moved = new long[old.rows];
    int live = 0;
    for (int n = 0; n < old.rows; n++) {
      moved[n] = freeze(old, Segment.at(n), now);
      live += moved[n] == Packing.ABSENT ? 0 : 1;
    }
    Segment next = new Segment(Math.max(SMALLEST_SEGMENT, live + live / 2 + 2));
    for (int n = 0; n < old.rows; n++) {
      if (moved[n] != Packing.ABSENT) {
        int from = Segment.at(n);
        int to = next.take(old.high(from), old.low(from), moved[n], old.second(from));
        Object box = old.boxed(from);
        if (box != null) {
          next.boxed(to, box);
        }
      }
    }
    segments.setRelease(index, next);
    return next;
  }

  /** Ends a row's life in its segment, and returns the word it ended with. */
  private long freeze(Segment segment, int row, long now) {
    for (int tries = 1; ; tries++) {
      long word = segment.first(row);
      if (segment.high(row) == 0) {
        return Packing.ABSENT;
      }
      if (word == Packing.HELD) {
        await(0, word, tries);
      } else if (Packing.isState(word) && packing.expiry(word) <= now) {
        forget(segment, row, word);
      } else if (segment.swap(row, word, Packing.MOVED)) {
        return word;
      }
    }
  }
}
