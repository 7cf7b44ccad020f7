package dev.stint.memory;

import dev.stint.Fingerprint;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import org.jspecify.annotations.Nullable;

/**
 * One limit's place in a call: what is asked, where it is decided, the row while it is held, and
 * the answer. Used again and again, see {@link Seats}.
 */
@SuppressWarnings("NullAway.Init") // nothing is read before ask()
final class Seat extends RowHold implements Comparable<Seat> {

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

  /** This seat, as {@link Joint} wants it when it is the only one. */
  final Seat[] alone = {this};

  /**
   * Asks one limit alone, of a key whose fingerprint is known.
   *
   * <p>A thread mostly asks the same limit again. References that stay the same are not written:
   * for each one written, the garbage collector has a note made of it, in memory that other threads
   * write to as well.
   */
  @SuppressWarnings("ReferenceEquality") // whether a field must be written
  void ask(Limit limit, Partition partition, long amount, long now, long keyHigh, long keyLow) {
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
    state.reuse();
  }

  /** Asks one of several limits. */
  void ask(KeyedLimit asked, Partition partition, long now) {
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.feed(asked.key().value(), asked.key().number());
    long first = Table.high(asked.limit(), fingerprint);
    long second = Table.low(asked.limit(), fingerprint);
    ask(asked.limit(), partition, asked.cost(), now, first, second);
    shadow = asked.isShadow();
    stamp = asked.stamp();
    fraction = asked.fraction();
  }

  /**
   * Leaves only the answer, so that nothing of the call is kept and the seat can be taken again.
   */
  void conclude() {
    unkept = table != null && state.present && !state.clipped ? null : outcome.copy();
    table = null;
    state.reuse();
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

  /** The one order in which rows are held, so that no two callers wait for each other. */
  @Override
  public int compareTo(Seat other) {
    int byTable = Integer.compare(order(), other.order());
    int byHigh = byTable != 0 ? byTable : Long.compare(high, other.high);
    return byHigh != 0 ? byHigh : Long.compare(low, other.low);
  }

  private int order() {
    return table == null ? -1 : table.order();
  }

  /** Whether the state lies so far ahead of the clock that the reading may be an old one. */
  boolean isAhead() {
    return algorithm.isAhead(state, now);
  }

  /** Whether the row was found without a state. */
  boolean isNew() {
    return isHeld() && word == Packing.ABSENT;
  }

  Evaluation.Part part() {
    return new Evaluation.Part(algorithm, state, outcome, now, amount, shadow, stamp, fraction);
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
