package dev.stint.memory;

import dev.stint.Fingerprint;
import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.Log;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A hash table from fingerprints to states, at most so many of them, made of small {@link
 * Segment}s.
 *
 * <p>A segment that is crowded is rebuilt alone, in a fraction of a millisecond, so nobody waits
 * for the growth of the whole. Rebuilt, it is two thirds full, and at four fifths it is crowded
 * again: 40 to 48 bytes for each state.
 *
 * <p>A state is counted in {@link #size} from when its row stops being absent until it is absent
 * again. Room is {@linkplain #reserve reserved} first, so the bound is never passed.
 */
final class Table {

  private static final int SEGMENT_STATES = 8192;
  private static final int LOCKS = 64;

  private final Packing packing;
  private final LogBudget logBudget;
  private final long most;
  private final AtomicReferenceArray<Segment> segments;

  // The words of each segment once more: the fast path saves the way through the segment. The two
  // may
  // differ for a moment; a row that was found in an old one says that it has moved.
  private final AtomicReferenceArray<long[]> words;
  private final ReentrantLock[] locks = new ReentrantLock[LOCKS];
  private final AtomicLong size = new AtomicLong();
  private final PressedSweep pressed = new PressedSweep();

  Table(Packing packing, LogBudget logBudget, long most) {
    this.packing = packing;
    this.logBudget = logBudget;
    this.most = most;
    int count = 16;
    while ((long) count * SEGMENT_STATES < most) {
      count <<= 1;
    }
    segments = new AtomicReferenceArray<>(count);
    words = new AtomicReferenceArray<>(count);
    Segment empty = new Segment(1);
    for (int i = 0; i < count; i++) {
      segments.setPlain(i, empty);
      words.setPlain(i, empty.words);
    }
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  /** How many states there are. */
  long size() {
    return size.get();
  }

  /** The segment of a fingerprint. */
  Segment segment(long low) {
    return segments.getAcquire(index(low));
  }

  /** The words of the segment of a fingerprint. */
  long[] words(long low) {
    return words.getAcquire(index(low));
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
   * The first half of a row's fingerprint: the key's under the limit's identity, and never zero.
   */
  static long high(Limit limit, Fingerprint fingerprint) {
    long high = fingerprint.first() ^ limit.identityHigh();
    return high == 0 ? 1 : high;
  }

  /** The second half; read after {@link #high}. */
  static long low(Limit limit, Fingerprint fingerprint) {
    return fingerprint.second() ^ limit.identityLow();
  }

  /**
   * Runs any operation on a state that is there, in any form, holding its row meanwhile.
   *
   * @return false if there is no state
   */
  boolean run(Operation operation, Seat seat) {
    for (int tries = 1; ; tries++) {
      Segment segment = segment(seat.keyLow);
      int row = segment.find(seat.keyHigh, seat.keyLow);
      long word = row < 0 ? Packing.ABSENT : segment.first(row);
      if (word == Packing.ABSENT) {
        return false;
      }
      if (Packing.isState(word) && segment.hold(row, word)) {
        seat.sit(this, false, seat.keyHigh, seat.keyLow);
        runHeld(operation, seat, segment, row, word);
        return true;
      }
      await(seat.keyLow, word, tries);
    }
  }

  private void runHeld(Operation operation, Seat seat, Segment segment, int row, long word) {
    long next = word;
    try {
      State state = seat.state;
      Outcome outcome = seat.outcome;
      int room = open(segment, row, word, seat.algorithm, state);
      Evaluation.run(operation, seat.algorithm, state, seat.now, seat.amount, outcome);
      if (outcome.changed) {
        next = packing.first(state, outcome.resetAt);
        close(segment, row, next, state, outcome.resetAt, room);
      }
    } finally {
      segment.release(row, next);
      if (next == Packing.ABSENT) {
        unreserve();
      }
    }
  }

  /**
   * Opens a state; unless it is narrow, the caller holds its row.
   *
   * @return the entries its log has room for, to be given to {@link #close}
   */
  int open(Segment segment, int row, long word, Algorithm algorithm, State state) {
    if (word != Packing.ABSENT) {
      packing.open(segment, row, word, algorithm, state);
    }
    Log log = state.log;
    if (log == null) {
      return 0;
    }
    state.frugal = logBudget.isSpent();
    return log.room();
  }

  /** The first word for a state that is to be written back. */
  long first(State state, long expiry) {
    return packing.first(state, expiry);
  }

  /** Writes all but the first word of a state into a row that the caller holds. */
  void close(Segment segment, int row, long first, State state, long expiry, int room) {
    Log log = state.log;
    logBudget.rent((log == null ? 0 : log.room()) - room);
    Packing.rest(segment, row, first, log, expiry, state.number(), state.previous);
    if (first != Packing.ABSENT) {
      pressed.expiresAt(expiry);
    }
  }

  /** Waits for whoever holds a row or moves it. */
  void await(long low, long word, int tries) {
    if (word == Packing.MOVED) {
      ReentrantLock lock = lock(stripe(low));
      lock.lock(); // whoever moves rows has this lock until they can be found again
      try {
        return;
      } finally {
        lock.unlock();
      }
    }
    if (tries % 32 == 0) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }

  /**
   * Sees to it that a fingerprint has a row, if only an absent one. Under the segment's lock.
   *
   * @param rows how many rows the caller makes before it fills them; a rebuild drops absent ones,
   *     so there must be room for all after it
   */
  void ensureRow(long high, long low, long now, int rows) {
    Segment segment = segment(low);
    if (segment.find(high, low) >= 0) {
      return;
    }
    if (segment.isCrowded()) {
      segment = rebuild(segment, now, rows);
      segments.setRelease(index(low), segment);
      words.setRelease(index(low), segment.words);
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
      } else if (!frees(now) && size.get() >= most) {
        return false;
      }
    }
  }

  /** Whether an expired state was found and forgotten. */
  boolean frees(long now) {
    return pressed.frees(this, now);
  }

  /** Notes that a narrow state expires earlier than it did, as one that was moved does. */
  void noteMove(long word, long next) {
    if (packing.narrowExpiry(next) < packing.narrowExpiry(word)) {
      pressed.expiresAt(packing.narrowExpiry(next));
    }
  }

  /** Gives a reservation back, or the room of a state that is absent now. */
  void unreserve() {
    size.decrementAndGet();
  }

  /** How many steps a whole sweep takes. */
  int sweepSteps() {
    return segments.length();
  }

  /** How many rows a step of the sweep looks at. */
  int rowsOf(int step) {
    return segments.getAcquire(step).rows;
  }

  /**
   * One step of a sweep: forgets what has expired in one segment.
   *
   * @param trim whether logs give back the room that they do not use
   */
  long sweep(int step, long now, boolean trim) {
    Segment segment = segments.getAcquire(step);
    long freed = 0;
    for (int n = 0; n < segment.rows; n++) {
      int row = Segment.at(n);
      long word = segment.first(row);
      if (!Packing.isState(word)) {
        if (word != Packing.ABSENT) {
          pressed.expiresAt(now); // held or moved: nobody knows
        }
        continue;
      }
      long expiry = packing.expiry(word);
      if (expiry <= now) {
        freed += forget(segment, row, word) ? 1 : 0;
      } else {
        pressed.expiresAt(expiry);
        if (trim && Packing.isBoxed(word)) {
          trim(segment, row, word);
        }
      }
    }
    return freed;
  }

  private boolean forget(Segment segment, int row, long word) {
    if (!segment.hold(row, word)) {
      return false;
    }
    if (segment.box(row) instanceof Log log) {
      logBudget.rent(-log.room());
    }
    segment.box(row, null);
    segment.release(row, Packing.ABSENT);
    unreserve();
    return true;
  }

  private void trim(Segment segment, int row, long word) {
    if (segment.hold(row, word)) {
      if (segment.box(row) instanceof Log log) {
        int room = log.room();
        log.trim();
        logBudget.rent(log.room() - room);
      }
      segment.release(row, word);
    }
  }

  /** Moves what still counts to a new segment. Under the segment's lock. */
  private Segment rebuild(Segment old, long now, int more) {
    // Everything is allocated before the first row is moved: who runs out of memory changes
    // nothing.
    Segment next = Segment.forStates(old.states() + more);
    if (old.hasBoxes()) {
      next.makeBoxes();
    }
    for (int n = 0; n < old.rows; n++) {
      int from = Segment.at(n);
      long word = freeze(old, from, now);
      if (word != Packing.ABSENT) {
        int to = next.take(old.high(from), old.low(from), word, old.second(from));
        next.box(to, old.box(from));
      }
    }
    return next;
  }

  /** Ends a row's life in its segment, and returns the word it ended with. */
  private long freeze(Segment segment, int row, long now) {
    if (segment.high(row) == 0) {
      return Packing.ABSENT;
    }
    for (int tries = 1; ; tries++) {
      long word = segment.first(row);
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
