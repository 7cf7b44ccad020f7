package dev.stint.memory;

import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One limit's place in a call: what is asked, where it is decided, the row while it is held, and
 * the answer. Used again and again, see {@link Seats}.
 */
@SuppressWarnings("NullAway.Init") // nothing is read before ask()
final class Seat extends RowHold {

  /** The most limits of a call whose seats are used again. */
  static final int MOST_USED_AGAIN = 16;

  // What is asked. Of the key there is only its fingerprint under the limit.
  Limit limit;
  long now;
  long amount;
  private boolean shadow;
  private long stamp;
  private long fraction;
  long keyHigh;
  long keyLow;

  // Where it is decided. Without a table nothing is kept.
  Partition partition;
  Algorithm algorithm;
  @Nullable Table table;
  @Nullable Table reservedIn;
  @Nullable Table freedIn;
  boolean shared;
  long high;
  long low;

  // The state of the row while it is held.
  State state = new State();

  final Outcome outcome = new Outcome();

  /** A copy of the answer, to keep, if it does not follow from a state that a row keeps. */
  @Nullable Outcome unkept;

  /** What a narrow state answered, see {@link Packing#decide}. */
  long answer;

  /** This seat, as {@link Joint} wants it when it is the only one. */
  final Seat[] alone = {this};

  // This seat with one other, with two others and so on, as calls have needed them.
  private Seat @Nullable [] @Nullable [] groups;
  private int @Nullable [] order;

  /** This seat and {@code n − 1} others, for a call over {@code n} limits. */
  Seat[] group(int n) {
    if (n > MOST_USED_AGAIN) {
      return extend(alone, n);
    }
    Seat[][] known = groups;
    if (known == null) {
      known = new Seat[MOST_USED_AGAIN + 1][];
      known[1] = alone;
      groups = known;
    }
    Seat[] group = known[n];
    if (group == null) {
      int most = n - 1;
      while (known[most] == null) {
        most--;
      }
      group = extend(known[most], n);
      known[n] = group;
    }
    return group;
  }

  private static Seat[] extend(Seat[] group, int n) {
    Seat[] larger = Arrays.copyOf(group, n);
    for (int i = group.length; i < n; i++) {
      larger[i] = new Seat();
    }
    return larger;
  }

  /** Room for the order in which the rows of a group of {@code n} are held. */
  int[] order(int n) {
    int[] known = order;
    if (known == null || known.length < n) {
      known = new int[Math.max(n, MOST_USED_AGAIN)];
      order = known;
    }
    return known;
  }

  /**
   * Asks one limit alone, of a key whose fingerprint is known.
   *
   * <p>A thread mostly asks the same limit again. References that stay the same are not written:
   * for each one written, the garbage collector has a note made of it, in memory that other threads
   * write to as well.
   */
  @SuppressWarnings("ReferenceEquality") // whether a field must be written
  void ask(Limit limit, Partition partition, long amount, long now, long keyHigh, long keyLow) {
    if (isHeld()) { // an error has kept the call before from it
      release();
    }
    Algorithm own = limit.algorithm();
    if (this.limit != limit) {
      this.limit = limit;
    }
    if (algorithm != own) {
      algorithm = own;
    }
    if (this.partition != partition) {
      this.partition = partition;
    }
    this.amount = amount;
    this.now = now;
    this.keyHigh = keyHigh;
    this.keyLow = keyLow;
    shadow = false;
    stamp = 0;
    fraction = 0;
    state.reuse();
  }

  /** Says where the key is counted, where it was only assumed before. */
  @SuppressWarnings("ReferenceEquality") // whether a field must be written
  void correct(Partition partition) {
    if (this.partition != partition) {
      this.partition = partition;
    }
  }

  /** Adds what a call over several limits may say of each. */
  void specify(boolean shadow, long stamp, long fraction) {
    this.shadow = shadow;
    this.stamp = stamp;
    this.fraction = fraction;
  }

  boolean isShadow() {
    return shadow;
  }

  /**
   * Leaves only the answer, so that nothing of the call is kept and the seat can be taken again.
   */
  void conclude() {
    unkept = table != null && state.present && !state.clipped ? null : outcome.copy();
    table = null;
    state.reuse();
  }

  /** The first word of the key's own row. */
  long readNarrow() {
    high = keyHigh;
    low = keyLow;
    if (table != null) {
      table = null;
    }
    long[] words = partition.rows().words(low);
    row = Segment.find(words, high, low);
    return row < 0 ? Packing.ABSENT : Segment.first(words, row);
  }

  /** Nowhere, with nothing remembered. */
  void leave() {
    algorithm = limit.algorithm();
    table = null;
    shared = false;
    state.reuse();
  }

  /** On a row of {@code table}. */
  void sit(Table table, boolean shared, long high, long low) {
    this.table = table;
    this.shared = shared;
    this.high = high;
    this.low = low;
  }

  /**
   * Whether this row is held before that of {@code other}. There is one order for all callers, so
   * that no two wait for each other. Limits come first in it: the same limits are then always held
   * in the same order, whatever the key, and the processor foresees it.
   */
  boolean isBefore(Seat other) {
    int by = Integer.compare(order(), other.order());
    by = by != 0 ? by : Long.compare(limit.identityHigh(), other.limit.identityHigh());
    by = by != 0 ? by : Long.compare(limit.identityLow(), other.limit.identityLow());
    by = by != 0 ? by : Long.compare(high, other.high);
    return by != 0 ? by < 0 : low < other.low;
  }

  /** Where this seat has no table, it holds no row, and its place in the order does not matter. */
  private int order() {
    return (table == null ? partition.rows() : table).order();
  }

  /** Whether the state lies so far ahead of the clock that the reading may be an old one. */
  boolean isAhead() {
    return algorithm.isAhead(state, now);
  }

  /** Whether the row was found without a state. */
  boolean isNew() {
    return isHeld() && word == Packing.ABSENT;
  }

  /** Whether this limit has room, or is not asked. */
  boolean begin(Operation operation) {
    return Evaluation.begin(operation, algorithm, state, now, amount);
  }

  /** Fills the outcome, once it is known whether all limits have room. */
  void finish(Operation operation, boolean all) {
    Evaluation.finish(operation, algorithm, state, now, amount, all, stamp, fraction, outcome);
  }

  /** Gives back the row, and the room that was reserved and not used or is used no longer. */
  void giveBack() {
    release();
    Table reserved = reservedIn;
    if (reserved != null) {
      reservedIn = null;
      reserved.unreserve();
    }
    Table freed = freedIn;
    if (freed != null) {
      freedIn = null;
      freed.unreserve();
    }
  }
}
