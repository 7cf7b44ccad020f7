package dev.stint.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One piece of the table: rows of four words, found by linear probing.
 *
 * <pre>row = | fingerprint, high | fingerprint, low | first word of the state | second word |</pre>
 *
 * <p>The invariants that make compare-and-set safe here:
 *
 * <ul>
 *   <li><em>A fingerprint is written once.</em> A row belongs to one key for the life of its
 *       segment. A key that is forgotten leaves its row behind with an absent state; the row is
 *       never given to another key. So a compare-and-set that was prepared on a key's row cannot
 *       land on another key, however late it comes. Rows left behind vanish when the segment is
 *       rebuilt.
 *   <li><em>A row moves once.</em> A rebuild swaps each first word for MOVED before it copies the
 *       state, waiting for whoever holds the row. Whoever finds MOVED looks the key up anew.
 *   <li><em>A fingerprint gets its row under the segment's lock</em>; everything else is lock-free.
 * </ul>
 */
final class Segment {

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle BOXES;

  static {
    try {
      BOXES = MethodHandles.lookup().findVarHandle(Segment.class, "boxes", Object[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Four words a row. */
  private static final int ROW = 4;

  /**
   * Words before the first row and after the last, so that a hot row has its cache line to itself.
   */
  private static final int PAD = 8;

  /** Segments of fewer rows are small. */
  private static final int SMALL = 256;

  /** A segment without keys. */
  static final Segment NONE = new Segment(1);

  static {
    // The first use of a variable handle at each place in the code links it, which takes much more
    // stack than later uses. A release must never be the first.
    NONE.swap(PAD, Packing.ABSENT, Packing.HELD);
    NONE.publish(PAD, Packing.ABSENT);
    NONE.write(PAD, 0, null);
  }

  /** The rows. A {@link Table} hands them to the fast path without the segment around them. */
  final long[] words;

  /** How many rows there are; the multiplier of the hash. */
  final int rows;

  /** Rows that have a fingerprint. Guarded by the segment's lock. */
  int taken;

  // States that do not fit two words, beside their rows. Made when first needed.
  private volatile @Nullable Object @Nullable [] boxes;

  Segment(int rows) {
    this.rows = rows;
    this.words = new long[rows * ROW + 2 * PAD];
  }

  /** The row of a fingerprint, or −1. */
  int find(long high, long low) {
    return find(words, high, low);
  }

  /** The row of a fingerprint in the words of a segment, or −1. */
  static int find(long[] words, long high, long low) {
    int i = home(words, low);
    for (; ; ) {
      // Acquire pairs with the release in take(): who sees the high half sees the rest of the row.
      long candidate = (long) WORDS.getAcquire(words, i);
      if (candidate == high && words[i + 1] == low) {
        return i;
      }
      if (candidate == 0) {
        return -1;
      }
      i = next(words, i);
    }
  }

  /** The same, looking first where the row was a moment ago; segments may have changed since. */
  int find(int hint, long high, long low) {
    boolean stays =
        hint >= PAD
            && hint < words.length - PAD
            && words[hint + 1] == low
            && (long) WORDS.getAcquire(words, hint) == high;
    return stays ? hint : find(words, high, low);
  }

  private static int next(long[] words, int i) {
    return i + ROW == words.length - PAD ? PAD : i + ROW;
  }

  /** Gives a fingerprint that has no row one, with this state in it. Under the segment's lock. */
  int take(long high, long low, long first, long second) {
    int i = home(words, low);
    while (words[i] != 0) {
      i = next(words, i);
    }
    words[i + 1] = low;
    words[i + 2] = first;
    words[i + 3] = second;
    WORDS.setRelease(words, i, high);
    taken++;
    return i;
  }

  private static int home(long[] words, long low) {
    int rows = (words.length - 2 * PAD) / ROW;
    return (int) (((low >>> 32) * rows) >>> 32) * ROW + PAD;
  }

  /**
   * An empty segment for so many states and some more. A small one is generous with rows: to find a
   * key at once is worth more there than a few bytes.
   */
  static Segment forStates(int states) {
    return new Segment(Math.max(Math.min(SMALL, 16 + 3 * states), states + states / 2));
  }

  /** Whether one more row would make the probes long. */
  boolean isCrowded() {
    return rows < SMALL ? 2 * (taken + 1) > rows : 5 * (taken + 1L) > 4L * rows;
  }

  /** The row at position {@code n} of all {@link #rows}. */
  static int at(int n) {
    return n * ROW + PAD;
  }

  long high(int row) {
    return (long) WORDS.getAcquire(words, row);
  }

  long low(int row) {
    return words[row + 1];
  }

  /** The first word. */
  long first(int row) {
    return first(words, row);
  }

  static long first(long[] words, int row) {
    return (long) WORDS.getAcquire(words, row + 2);
  }

  /** Swaps the first word, if it still is {@code word}. */
  boolean swap(int row, long word, long next) {
    return swap(words, row, word, next);
  }

  static boolean swap(long[] words, int row, long word, long next) {
    return WORDS.compareAndSet(words, row + 2, word, next);
  }

  /** Sets the first word of a row held by the caller, for all to see. */
  void publish(int row, long word) {
    WORDS.setRelease(words, row + 2, word);
  }

  /** The second word of a row held by the caller. */
  long second(int row) {
    return words[row + 3];
  }

  /**
   * Writes all but the first word of a row held by the caller. Nothing in here can fail half way:
   * it calls nothing and allocates nothing. For a box there must be {@linkplain #makeBoxes boxes}.
   */
  void write(int row, long second, @Nullable Object box) {
    Object[] all = boxes;
    words[row + 3] = second;
    if (all != null) {
      int i = (row - PAD) / ROW;
      if (all[i] != box) { // see Seat.ask
        all[i] = box;
      }
    }
  }

  /** How many rows have a state, or are held and may have one. */
  int states() {
    int states = 0;
    for (int n = 0; n < rows; n++) {
      states += first(at(n)) == Packing.ABSENT ? 0 : 1;
    }
    return states;
  }

  boolean hasBoxes() {
    return boxes != null;
  }

  /** Makes room for boxes, if there is none yet. */
  void makeBoxes() {
    if (boxes == null) {
      BOXES.compareAndSet(this, null, new Object[rows]);
    }
  }

  /** The box of a row held by the caller, or null. */
  @Nullable Object box(int row) {
    Object[] all = boxes;
    return all == null ? null : all[(row - PAD) / ROW];
  }
}
