package dev.stint.memory;

import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Bucket;
import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.FixedWindow;
import dev.stint.algorithm.Log;
import dev.stint.algorithm.Quota;
import dev.stint.algorithm.SlidingCounter;
import dev.stint.algorithm.State;
import org.jspecify.annotations.Nullable;

/**
 * How a state lies in a row's words.
 *
 * <p>The two low bits of the first word are its form. Every form holds the moment of expiry and not
 * the state's time, so that the sweep can judge a row without knowing its limit; the algorithm
 * restores the time from it.
 *
 * <pre>
 * NARROW  | 46 expiry since the store's epoch | 16 number, or 1 + 7 number + 8 previous | 01 |
 * WIDE    | 53 expiry | 8 previous, high | 1 split | 10 |   second word: number, or 36 number + 28 previous
 * BOXED   | 53 expiry |                  9 unused  | 11 |   the state is an object beside the row
 * </pre>
 *
 * <p>A narrow state is swapped by one compare-and-set. The others take more than one word, so they
 * are read and written only by whoever holds the row. Ordinary limits are narrow: a bucket whose
 * interval has at most 32,768 parts, a count up to 32,767, for two years from the store's start.
 */
final class Packing {

  /** Nothing is remembered here. */
  static final long ABSENT = 0;

  /** The row has moved to a new segment. */
  static final long MOVED = 4;

  /** Somebody is at work on this row, briefly. */
  static final long HELD = 8;

  private static final long UNFIT = 12;
  private static final int NARROW = 1;
  private static final int WIDE = 2;
  private static final int BOXED = 3;

  // A narrow word has the bits 01; this one is free to mark an answer.
  static final long ALLOWED = 2;

  private static final long NARROW_NEVER = (1L << 46) - 1;
  private static final long HEADROOM = 365L * 24 * 3600 * 1_000_000 / 5;

  // Narrow times count from here: a little before the store's start, as clocks may step back.
  private final long epoch;

  Packing(long start) {
    epoch = start - HEADROOM;
  }

  static boolean isNarrow(long word) {
    return (word & 3) == NARROW;
  }

  static boolean isBoxed(long word) {
    return (word & 3) == BOXED;
  }

  /** Whether the word is a state, and not absent, held or moved. */
  static boolean isState(long word) {
    return (word & 3) != 0;
  }

  /** From when on the state of this word is as good as absent. */
  long expiry(long word) {
    return isNarrow(word) ? narrowExpiry(word) : word >>> 11;
  }

  /** The same, of a narrow word or an answer. */
  long narrowExpiry(long word) {
    long expiry = word >>> 18;
    return expiry == NARROW_NEVER ? Algorithm.NEVER : expiry + epoch;
  }

  /** The word of a state that takes no more, or {@link #UNFIT}. */
  private long narrow(State state, long expiry) {
    boolean never = expiry == Algorithm.NEVER;
    long since = never ? NARROW_NEVER : expiry - epoch;
    long number = state.number();
    long previous = state.previous;
    if (since < 0 || (since >= NARROW_NEVER && !never) || number > 0x7fff || state.log != null) {
      return UNFIT;
    }
    if (previous != 0) {
      if (number > 0x7f || previous > 0xff) {
        return UNFIT;
      }
      number = 0x8000 | number << 8 | previous;
    }
    return since << 18 | number << 2 | NARROW;
  }

  /**
   * Decides a hit or a peek on a narrow state.
   *
   * @return the narrow state afterwards, marked if it was allowed, see {@link #stateOf} and {@link
   *     #isAllowed}; {@link #ABSENT} if the state afterwards is not narrow or does not tell what
   *     was charged, or if the state before lies ahead of {@code now}, so that the clock must be
   *     read again while the row is held
   */
  long decide(long word, Algorithm algorithm, long now, long n, boolean take) {
    State state = new State();
    open(word, algorithm, state);
    boolean allowed = Evaluation.hit(algorithm, state, now, n, take);
    if (state.moved || state.clipped) {
      return ABSENT;
    }
    long next = word;
    if (take && (allowed || algorithm.countsDenied())) {
      next = narrow(state, algorithm.resetAt(state, now));
      if (next == UNFIT) {
        return ABSENT;
      }
    }
    return allowed ? next | ALLOWED : next;
  }

  /**
   * The same on any state that may be narrow, by the class of its algorithm: see {@link Single}.
   */
  long decideNarrow(long word, Algorithm algorithm, long now, long n, boolean take) {
    if (algorithm instanceof Bucket bucket) {
      return decide(word, bucket, now, n, take);
    } else if (algorithm instanceof FixedWindow window) {
      return decide(word, window, now, n, take);
    } else if (algorithm instanceof SlidingCounter counter) {
      return decide(word, counter, now, n, take);
    } else if (algorithm instanceof Quota quota) {
      return decide(word, quota, now, n, take);
    }
    return ABSENT;
  }

  static long stateOf(long answer) {
    return answer & ~ALLOWED;
  }

  static boolean isAllowed(long answer) {
    return (answer & ALLOWED) != 0;
  }

  /** An answer that is the number of a seat; never taken for a narrow one, whose low bit is set. */
  static long seat(int place) {
    return (long) place << 2;
  }

  static boolean isSeat(long answer) {
    return (answer & NARROW) == 0;
  }

  static int seatOf(long answer) {
    return (int) (answer >>> 2);
  }

  /** The number in a narrow word. */
  static long numberOf(long word) {
    long low = (word >>> 2) & 0xffff;
    return low > 0x7fff ? low >>> 8 & 0x7f : low;
  }

  /** The previous count in a narrow word. */
  static long previousOf(long word) {
    long low = (word >>> 2) & 0xffff;
    return low > 0x7fff ? low & 0xff : 0;
  }

  private void open(long word, Algorithm algorithm, State state) {
    algorithm.restore(state, expiry(word), numberOf(word), previousOf(word));
  }

  /** Opens the word of a state; unless it is narrow, the caller holds the row. */
  void open(Segment segment, int row, long word, Algorithm algorithm, State state) {
    if (isNarrow(word)) {
      open(word, algorithm, state);
    } else if (isBoxed(word)) {
      openBox(segment.box(row), algorithm, state);
    } else {
      long second = segment.second(row);
      boolean split = (word & 4) != 0;
      long previous = split ? (word >>> 3 & 0xff) << 28 | (second & 0xfffffff) : 0;
      algorithm.restore(state, expiry(word), split ? second >>> 28 : second, previous);
    }
  }

  private static void openBox(@Nullable Object box, Algorithm algorithm, State state) {
    if (box instanceof Log log) {
      state.present = true;
      state.log = log;
    } else if (box instanceof long[] numbers) {
      algorithm.restore(state, numbers[0], numbers[1], numbers[2]);
    }
  }

  /** The first word of a state that is to be written back. */
  long first(State state, long expiry) {
    if (!state.present) {
      return ABSENT;
    }
    long word = narrow(state, expiry);
    if (word != UNFIT) {
      return word;
    }
    boolean split = state.previous != 0;
    boolean fits = !split || (state.number() < 1L << 36 && state.previous < 1L << 36);
    if (state.log != null || !fits || expiry < 0) {
      return Math.max(0, expiry) << 11 | BOXED;
    }
    return expiry << 11 | (split ? state.previous >>> 28 << 3 | 4 : 0) | WIDE;
  }

  /** The second word of a state whose first word is {@code first}. */
  static long second(long first, State state) {
    boolean split = (first & 4) != 0;
    return split ? state.number() << 28 | (state.previous & 0xfffffff) : state.number();
  }

  /** The object to keep beside the row of a state whose first word is {@code first}, or null. */
  static @Nullable Object box(long first, State state, long expiry) {
    if (!isBoxed(first)) {
      return null;
    }
    Log log = state.log;
    return log != null ? log : new long[] {expiry, state.number(), state.previous};
  }
}
