package dev.stint.memory;

import dev.stint.Fingerprint;
import dev.stint.Limit;
import dev.stint.algorithm.Log;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import dev.stint.memory.Clock.Reading;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A hash table from fingerprints to states, at most so many of them, made of small {@link
 * Segment}s.
 *
 * <p>A segment that is crowded is rebuilt alone, in a fraction of a millisecond, so no caller waits
 * for the growth of the whole. Rebuilt, it is two thirds full, and at four fifths it is crowded
 * again: 40 to 48 bytes for each state.
 *
 * <p>A state is counted in {@link #size} from when its row stops being absent until it is absent
 * again. Room is {@linkplain #reserve reserved} first, so the bound is never passed.
 *
 * <p>The lowest bit of a row's fingerprint tells which clock its expiry is a time of, so that the
 * sweep never judges a row by the other one.
 */
final class Table {

  private static final int SEGMENT_STATES = 8192;
  private static final int LOCKS = 64;

  // How a caller waits for a row that is held: it spins, then yields, and when the holder seems to
  // be descheduled it sleeps.
  private static final int TRIES_UNTIL_YIELD = 32;
  private static final int TRIES_UNTIL_SLEEP = 4096;
  private static final long SLEEP_NANOS = 100_000;

  private final Packing packing;
  private final LogBudget logBudget;
  private final int order;
  private final long most;
  private final AtomicReferenceArray<Segment> segments;

  // The words of each segment again, which saves the fast path a step. The two may differ for a
  // moment; a row that was found in an old one says that it has moved.
  private final AtomicReferenceArray<long[]> words;
  private final ReentrantLock[] locks = new ReentrantLock[LOCKS];
  private final AtomicLong size = new AtomicLong();
  private final AtomicLong forgotten = new AtomicLong();
  private final PressedSweep pressed = new PressedSweep();

  /**
   * An empty table.
   *
   * @param order the position of this table in the order in which rows are held
   * @param most the most states there may be
   * @param expected how many states to be ready for
   */
  Table(Packing packing, LogBudget logBudget, int order, long most, long expected) {
    this.packing = packing;
    this.logBudget = logBudget;
    this.order = order;
    this.most = most;
    int count = 16;
    while ((long) count * SEGMENT_STATES < expected) {
      count <<= 1;
    }
    segments = new AtomicReferenceArray<>(count);
    words = new AtomicReferenceArray<>(count);
    clear();
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  /** Forgets everything, at the end of the store. */
  void clear() {
    for (int i = 0; i < segments.length(); i++) {
      segments.setRelease(i, Segment.NONE);
      words.setRelease(i, Segment.NONE.words);
    }
  }

  /** How many states there are. */
  long size() {
    return size.get();
  }

  /** How many expired states were forgotten so far, each counted while its row is held. */
  long forgotten() {
    return forgotten.get();
  }

  int order() {
    return order;
  }

  LogBudget logBudget() {
    return logBudget;
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

  // ---- Fingerprints ----

  /** The first half of a row's fingerprint: the key's under the limit's identity. */
  static long high(Limit limit, Fingerprint fingerprint) {
    return high(limit, fingerprint.first());
  }

  /**
   * The first half of a row's fingerprint: never zero, and its lowest bit is the limit's own, which
   * tells the clock.
   */
  static long high(Limit limit, long hash) {
    long high = (hash & ~1L) ^ limit.identityHigh();
    return high == 0 ? 2 : high;
  }

  /** The second half; read after {@link #high}. */
  static long low(Limit limit, Fingerprint fingerprint) {
    return low(limit, fingerprint.second());
  }

  /** The second half, of the second half of a key's hash. */
  static long low(Limit limit, long hash) {
    return hash ^ limit.identityLow();
  }

  /** Whether the limit of this row's fingerprint follows the wall clock. */
  static boolean followsWallClock(long high) {
    return (high & 1) != 0;
  }

  // ---- The state of a row that is held ----

  /** Opens the state of the row that {@code seat} holds. */
  void open(Seat seat) {
    State state = seat.state;
    if (seat.word != Packing.ABSENT) {
      packing.open(seat.segment, seat.row, seat.word, seat.algorithm, state);
    }
    if (state.log != null) {
      state.frugal = logBudget.isSpent();
    }
  }

  /**
   * Writes a state that has changed back to the row that {@code seat} holds. It becomes visible on
   * release. Everything that can throw runs before the first write.
   */
  void write(Seat seat) {
    Outcome outcome = seat.outcome;
    if (!outcome.changed) {
      return;
    }
    State state = seat.state;
    long next = packing.first(state, outcome.resetAt);
    long second = Packing.second(next, state);
    Object box = Packing.box(next, state, outcome.resetAt);
    if (box != null) {
      seat.segment.makeBoxes();
    }
    if (next != Packing.ABSENT) {
      pressed.expiresAt(seat.high, outcome.resetAt);
    }
    Log before = Packing.isBoxed(seat.word) ? log(seat.segment, seat.row) : null;
    if (before != state.log) {
      logBudget.remove(before);
    }
    seat.segment.write(seat.row, second, box);
    boolean wasAbsent = seat.word == Packing.ABSENT;
    seat.word = next;
    if (wasAbsent && next != Packing.ABSENT) {
      seat.reservedIn = null; // the row has the room now
    } else if (!wasAbsent && next == Packing.ABSENT) {
      seat.freedIn = this;
    }
    logBudget.add(state.log);
  }

  /** Waits for another caller that holds a row or moves it. */
  void await(long low, long word, int tries) {
    if (word == Packing.MOVED) {
      ReentrantLock lock = lock(stripe(low));
      try {
        lock.lock(); // a rebuild has this lock until the rows can be found again
      } finally {
        StripeLocks.unlock(lock);
      }
    } else if (tries % TRIES_UNTIL_YIELD != 0) {
      Thread.onSpinWait();
    } else if (tries < TRIES_UNTIL_SLEEP) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(SLEEP_NANOS);
    }
  }

  // ---- Rows ----

  /**
   * Sees to it that a fingerprint has a row, if only an absent one. Under the segment's lock.
   *
   * @param rows how many rows the caller makes before it fills them; a rebuild drops absent ones,
   *     so there must be room for all after it
   */
  void ensureRow(long high, long low, Reading now, int rows) {
    Segment segment = segment(low);
    if (segment.find(high, low) < 0) {
      if (segment.isCrowded()) {
        segment = rebuild(index(low), now, rows);
      }
      segment.take(high, low, Packing.ABSENT, 0);
    }
    if (words(low) != segment.words) {
      words.setRelease(index(low), segment.words);
    }
  }

  /** Whether a fingerprint has a state, expired or not. */
  boolean has(long high, long low) {
    Segment segment = segment(low);
    int row = segment.find(high, low);
    return row >= 0 && segment.first(row) != Packing.ABSENT;
  }

  /** Whether a fingerprint has a state that has not expired. */
  boolean isLive(long high, long low, Reading now) {
    for (int tries = 1; ; tries++) {
      Segment segment = segment(low);
      int row = segment.find(high, low);
      long word = row < 0 ? Packing.ABSENT : segment.first(row);
      if (Packing.isState(word)) {
        return packing.expiry(word) > now.of(high);
      }
      if (word == Packing.ABSENT) {
        return false;
      }
      await(low, word, tries);
    }
  }

  /** Makes room for one more state, or says that every one there is still counts. */
  boolean reserve(Reading now) {
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
  boolean frees(Reading now) {
    return pressed.frees(this, now);
  }

  /** Gives a reservation back, or the room of a state that is absent now. */
  void unreserve() {
    size.decrementAndGet();
  }

  // ---- Sweeping ----

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
  long sweep(int step, Reading now, boolean trim) {
    Segment segment = segments.getAcquire(step);
    long freed = 0;
    for (int n = 0; n < segment.rows; n++) {
      int row = Segment.at(n);
      long word = segment.first(row);
      if (word == Packing.ABSENT) {
        continue;
      }
      long high = segment.high(row);
      if (!Packing.isState(word)) {
        pressed.expiresAt(high, now.of(high)); // held or moved: its expiry is not known
        continue;
      }
      long expiry = packing.expiry(word);
      if (expiry <= now.of(high)) {
        freed += forget(segment, row, word) ? 1 : 0;
      } else {
        pressed.expiresAt(high, expiry);
        if (trim && Packing.isBoxed(word)) {
          trim(segment, row, word);
        }
      }
    }
    return freed;
  }

  private boolean forget(Segment segment, int row, long word) {
    RowHold hold = new RowHold(segment);
    boolean isGone = false;
    try {
      if (hold.take(segment, row, word)) {
        forgotten.incrementAndGet(); // first: if it fails, nothing has changed
        logBudget.remove(log(segment, row));
        segment.write(row, 0, null);
        hold.word = Packing.ABSENT;
        isGone = true;
      }
      return isGone;
    } finally {
      hold.release();
      if (isGone) {
        unreserve();
      }
    }
  }

  private void trim(Segment segment, int row, long word) {
    RowHold hold = new RowHold(segment);
    try {
      if (hold.take(segment, row, word)) {
        Log log = log(segment, row);
        if (log != null) {
          log.trim();
        }
        logBudget.add(log);
      }
    } finally {
      hold.release();
    }
  }

  private static @Nullable Log log(Segment segment, int row) {
    return segment.box(row) instanceof Log log ? log : null;
  }

  // ---- Rebuilding ----

  /**
   * Moves what still counts to a new segment, which replaces the old. Under its lock.
   *
   * <p>Cells may be filled while this runs, since a caller takes hold of its cell after it has
   * given the lock back. If they become more than there is room for, everything begins again, with
   * more.
   */
  private Segment rebuild(int index, Reading now, int more) {
    Segment old = segments.getAcquire(index);
    for (int states = old.states(); ; states = Math.max(2 * states + 1, old.states())) {
      Segment next = rebuild(index, old, now, states + more, more);
      if (next != null) {
        return next;
      }
    }
  }

  /**
   * Moves what still counts to a new segment.
   *
   * @param room how many states to make room for
   * @param more how many of these are yet to come
   * @return null if there were more, and nothing has moved
   */
  private @Nullable Segment rebuild(int index, Segment old, Reading now, int room, int more) {
    // Everything is allocated before the first row is moved.
    Segment next = Segment.forStates(room);
    if (old.hasBoxes()) {
      next.makeBoxes();
    }
    long[] moved = new long[old.rows];
    boolean done = false;
    try {
      for (int n = 0; n < old.rows; n++) {
        int from = Segment.at(n);
        if (freeze(old, from, now, moved, n)) {
          if (next.taken + more >= room) {
            return null;
          }
          int to = next.take(old.high(from), old.low(from), moved[n], old.second(from));
          next.write(to, old.second(from), old.box(from));
        }
      }
      segments.setRelease(index, next);
      done = true;
      return next;
    } finally {
      if (!done) {
        thaw(old, moved);
      }
    }
  }

  /**
   * Ends a row's life in its segment.
   *
   * @param moved where to note the word that it ended with, before it does
   * @return whether it ended with a state, which must live on
   */
  private boolean freeze(Segment segment, int row, Reading now, long[] moved, int n) {
    long high = segment.high(row);
    if (high == 0) {
      return false;
    }
    for (int tries = 1; ; tries++) {
      long word = segment.first(row);
      moved[n] = word;
      if (word == Packing.HELD) {
        await(0, word, tries);
      } else if (Packing.isState(word) && packing.expiry(word) <= now.of(high)) {
        forget(segment, row, word);
      } else if (segment.swap(row, word, Packing.MOVED)) {
        return word != Packing.ABSENT;
      }
    }
  }

  /** Takes a rebuild back that failed half way: rows that have moved are in their place again. */
  private static void thaw(Segment segment, long[] moved) {
    for (int n = 0; n < moved.length; n++) {
      int row = Segment.at(n);
      if (segment.first(row) == Packing.MOVED) {
        segment.publish(row, moved[n]);
      }
    }
  }
}
