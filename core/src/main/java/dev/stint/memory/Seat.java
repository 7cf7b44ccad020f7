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
@SuppressWarnings("NullAway.Init") // made cheaply where it is asked, and completed by prepare()
final class Seat {

  /** The one order in which rows are held, so that no two callers wait for each other. */
  static final Comparator<Seat> IN_ORDER =
      Comparator.<Seat, Boolean>comparing(seat -> seat.shared)
          .thenComparingLong(seat -> seat.high)
          .thenComparingLong(seat -> seat.low);

  // What is asked.
  final Limit limit;
  private final @Nullable Object value;
  private final long number;
  final long now;
  final long amount;
  private final boolean shadow;
  private final long stamp;
  private final long fraction;
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
  State state;

  Outcome outcome;

  /** A seat for one limit alone; the key comes in its parts, see {@link dev.stint.Key}. */
  Seat(Limit limit, @Nullable Object value, long number, long amount, long now) {
    this(limit, value, number, amount, false, 0, 0, now);
  }

  Seat(KeyedLimit asked, long now) {
    this(
        asked.limit(),
        asked.key().value(),
        asked.key().number(),
        asked.cost(),
        asked.isShadow(),
        asked.stamp(),
        asked.fraction(),
        now);
  }

  private Seat(
      Limit limit,
      @Nullable Object value,
      long number,
      long amount,
      boolean shadow,
      long stamp,
      long fraction,
      long now) {
    this.limit = limit;
    this.value = value;
    this.number = number;
    this.amount = amount;
    this.shadow = shadow;
    this.stamp = stamp;
    this.fraction = fraction;
    this.now = now;
  }

  /** Works the key's fingerprint out, and lays out what an operation fills. */
  void prepare() {
    algorithm = limit.algorithm();
    state = new State();
    outcome = new Outcome();
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.feed(value, number);
    keyHigh = Table.high(limit, fingerprint);
    keyLow = Table.low(limit, fingerprint);
  }

  /** Nowhere, with nothing remembered. */
  void leave() {
    algorithm = limit.algorithm();
    table = null;
    shared = false;
    state = new State();
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
