package dev.stint.memory;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** One limit's place in a {@link Joint} operation: what is asked of it, and the row it is on. */
final class Seat {

  /** The one order in which rows are held, so that no two callers wait for each other. */
  static final Comparator<Seat> IN_ORDER =
      Comparator.<Seat, Boolean>comparing(seat -> seat.shared)
          .thenComparingLong(seat -> seat.high)
          .thenComparingLong(seat -> seat.low);

  // What is asked.
  final Limit limit;
  final Key key;
  final long now;
  private final long amount;
  private final boolean shadow;
  private final long stamp;
  private final long fraction;
  final long keyHigh;
  final long keyLow;

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

  /** A key in its two parts, so that the caller's own key need not leave its registers. */
  Seat(Limit limit, @Nullable Object value, long number, long amount, long now) {
    this(limit, Key.of(value, number), amount, false, 0, 0, now);
  }

  Seat(KeyedLimit asked, long now) {
    this(
        asked.limit(),
        asked.key(),
        asked.cost(),
        asked.isShadow(),
        asked.stamp(),
        asked.fraction(),
        now);
  }

  private Seat(
      Limit limit, Key key, long amount, boolean shadow, long stamp, long fraction, long now) {
    this.limit = limit;
    this.key = key;
    this.amount = amount;
    this.shadow = shadow;
    this.stamp = stamp;
    this.fraction = fraction;
    this.now = now;
    this.algorithm = limit.algorithm();
    this.keyHigh = MemoryStore.high(limit, key);
    this.keyLow = MemoryStore.low(limit, key);
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

  Decision decision() {
    return Decision.of(limit, key, outcome, shared);
  }
}
