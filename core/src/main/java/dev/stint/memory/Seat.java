package dev.stint.memory;

import dev.stint.Fingerprint;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** One limit's place in a {@link Joint} operation: what is asked of it, and the row it is on. */
@SuppressWarnings("NullAway.Init") // it asks nobody before ask()
final class Seat {

  /** The one order in which rows are held, so that no two callers wait for each other. */
  static final Comparator<Seat> IN_ORDER =
      Comparator.<Seat, Boolean>comparing(seat -> seat.shared)
          .thenComparingLong(seat -> seat.high)
          .thenComparingLong(seat -> seat.low);

  // What is asked. The key comes in its parts, see dev.stint.Key.
  Limit limit;
  private @Nullable Object value;
  private long number;
  long now;
  long amount;
  private boolean shadow;
  private long stamp;
  private long fraction;
  long keyHigh;
  long keyLow;

  // Where it is decided. Without a table nothing is kept.
  Algorithm algorithm;
  @Nullable Table table;
  @Nullable Table reservedIn;
  boolean shared;
  long high;
  long low;

  // The row while it is held.
  @Nullable Segment segment;
  int row;
  long word;
  int room;
  State state = new State();

  final Outcome outcome = new Outcome();

  /** The answer once more, to keep, if it does not follow from a state that a row keeps. */
  @Nullable Outcome unkept;

  /** This seat, as {@link Joint} wants it when it is the only one. */
  final Seat[] alone = {this};

  /** Asks one limit alone. */
  void ask(Limit limit, @Nullable Object value, long number, long amount, long now) {
    this.limit = limit;
    this.value = value;
    this.number = number;
    this.amount = amount;
    this.now = now;
  }

  /** Asks one of several limits. */
  void ask(KeyedLimit asked, long now) {
    ask(asked.limit(), asked.key().value(), asked.key().number(), asked.cost(), now);
    shadow = asked.isShadow();
    stamp = asked.stamp();
    fraction = asked.fraction();
  }

  /** Works the key's fingerprint out. */
  void identify() {
    algorithm = limit.algorithm();
    state.reuse();
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.feed(value, number);
    keyHigh = Table.high(limit, fingerprint);
    keyLow = Table.low(limit, fingerprint);
  }

  /**
   * Leaves only the answer, so that nothing of the call is kept and the seat can be taken again.
   */
  void conclude() {
    unkept = table != null && state.present && !state.clipped ? null : outcome.copy();
    value = null;
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

  Evaluation.Part part() {
    return new Evaluation.Part(algorithm, state, outcome, now, amount, shadow, stamp, fraction);
  }

  /** Gives back the room that was reserved and not used. */
  void unreserve() {
    if (reservedIn != null) {
      reservedIn.unreserve();
      reservedIn = null;
    }
  }
}
