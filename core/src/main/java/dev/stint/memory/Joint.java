package dev.stint.memory;

import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.Operation;
import java.util.Arrays;

/**
 * An operation on several rows at once, all or nothing; and on one, where it takes more than a
 * compare-and-set, because the key is new or its state is more than a word.
 *
 * <p>Rows are held in one order, every limit is asked, every limit is told, and each row is
 * released with its new word. The order of things, which rules deadlock out:
 *
 * <ol>
 *   <li>locks of the segments where a key is missing, ascending;
 *   <li>rows, ascending.
 * </ol>
 *
 * <p>No lock is taken while a row is held. A caller that finds a row moved gives everything back
 * and starts again. The locks are held to the end, so that two concurrent calls cannot count one
 * new key in a row and in an overflow cell.
 *
 * <p><em>Which reading of the clock decides.</em> A caller may be stalled, for longer than any
 * window, between its reading and the moment at which it holds the rows. Where a state is found
 * that lies no more than a window ahead of the reading, that does no harm: the state is newer than
 * the reading, and is decided as at its own time. Where it lies further ahead, the clock either
 * stepped back or the reading is an old one; and where there is no state, there may have been one,
 * newer than the reading, that has expired since. In both cases, and for operations that change a
 * state whatever it says, the clock is read again while no other caller can change the state, and
 * that reading decides.
 *
 * <p><em>Errors.</em> Whatever is thrown, an {@link Error} included, rows, locks and reserved room
 * are given back: by {@code finally} here, and again from the frame above, where there is more
 * stack. {@link StackProbe} makes sure beforehand that there is enough for that.
 */
final class Joint {

  private final Table rows;
  private final Table callRows;
  private final Placement placement;
  private final Clock clock;
  private final Sweeper sweeper;

  /**
   * Runs operations on these rows.
   *
   * @param rows the rows of limits that were prepared
   * @param callRows the rows of all other limits; may be the same table
   */
  Joint(Table rows, Table callRows, Placement placement, Clock clock, Sweeper sweeper) {
    this.rows = rows;
    this.callRows = callRows;
    this.placement = placement;
    this.clock = clock;
    this.sweeper = sweeper;
  }

  /**
   * Fills the outcome of every seat.
   *
   * @param micros the reading of the clock at which the call began
   */
  void run(Operation operation, long micros, Seat... seats) {
    StackProbe.check();
    if (seats.length > 1 || operation == Operation.UNDO || !runOnRow(operation, seats[0])) {
      runOnAll(operation, micros, seats);
    }
    for (Seat seat : seats) {
      seat.conclude();
    }
  }

  // ---- One row that is there ----

  /** Runs an operation on a state that is there, in any form. False if there is no state. */
  private boolean runOnRow(Operation operation, Seat seat) {
    Table table = seat.partition.rows();
    for (int tries = 1; ; tries++) {
      Segment segment = table.segment(seat.keyLow);
      int row = segment.find(seat.keyHigh, seat.keyLow);
      long word = row < 0 ? Packing.ABSENT : segment.first(row);
      if (word == Packing.ABSENT) {
        return false;
      }
      if (Packing.isState(word) && runOnRow(operation, seat, table, segment, row, word)) {
        return true;
      }
      table.await(seat.keyLow, word, tries);
    }
  }

  private boolean runOnRow(
      Operation operation, Seat seat, Table table, Segment segment, int row, long word) {
    try {
      seat.sit(table, false, seat.keyHigh, seat.keyLow);
      if (!seat.take(segment, row, word)) {
        return false;
      }
      table.open(seat);
      if (changesUnasked(operation, seat) || seat.isAhead()) {
        seat.now = clock.follow(seat.limit, clock.source().micros());
      }
      Evaluation.run(operation, seat.algorithm, seat.state, seat.now, seat.amount, seat.outcome);
      table.write(seat);
      return true;
    } finally {
      seat.giveBack();
    }
  }

  // ---- Several rows, and rows that are not there ----

  private void runOnAll(Operation operation, long micros, Seat[] seats) {
    Seat[] ordered = seats.length == 1 ? seats : seats.clone();
    StripeLocks locks = new StripeLocks(rows, callRows);
    boolean done = false;
    try {
      while (!attempt(operation, micros, seats, ordered, locks)) {
        Thread.yield();
      }
      done = true;
    } finally {
      if (!done) {
        giveBack(seats, locks);
      }
    }
    sweeper.ensureRunning();
  }

  /** Runs the operation; false if a row vanished or moved, and nothing was done. */
  private boolean attempt(
      Operation operation, long micros, Seat[] seats, Seat[] ordered, StripeLocks locks) {
    try {
      lockMissing(operation, seats, locks);
      Clock.Reading now = locks.isEmpty() ? clock.at(micros) : read(seats);
      for (int i = 0; i < seats.length; i++) {
        if (!placement.place(operation, seats, i, locks, now)) {
          return false;
        }
      }
      if (ordered.length > 1) {
        Arrays.sort(ordered);
      }
      for (Seat seat : ordered) {
        if (!hold(seat)) {
          return false;
        }
      }
      if (mayBeStale(operation, seats)) {
        read(seats);
      }
      decide(operation, seats);
      return true;
    } finally {
      giveBack(seats, locks);
    }
  }

  private static void giveBack(Seat[] seats, StripeLocks locks) {
    for (Seat seat : seats) {
      seat.giveBack();
    }
    locks.unlock();
  }

  /** Reads the clock again, for all seats. */
  private Clock.Reading read(Seat[] seats) {
    Clock.Reading now = clock.read();
    for (Seat seat : seats) {
      seat.now = now.of(seat.limit);
    }
    return now;
  }

  /**
   * Whether an old reading could do harm: a state lies ahead of it, or is missing in a cell, or is
   * changed without being asked. Where it is missing in a row, the clock was read after the lock
   * was taken, which is as good as holding the row.
   */
  private static boolean mayBeStale(Operation operation, Seat[] seats) {
    for (Seat seat : seats) {
      if (changesUnasked(operation, seat) || (seat.shared && seat.isNew()) || seat.isAhead()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a state is changed whatever it says. Then it is not enough that an old reading only
   * makes a limit look fuller than it is: an undo would give back what has leaked since, a set
   * would begin a window in the past, and a charge would be cut off too early.
   */
  private static boolean changesUnasked(Operation operation, Seat seat) {
    return operation.asks()
        ? operation == Operation.HIT && seat.limit.countsDenied()
        : operation != Operation.GET;
  }

  private static void decide(Operation operation, Seat[] seats) {
    Evaluation.Part[] parts = new Evaluation.Part[seats.length];
    for (int i = 0; i < seats.length; i++) {
      parts[i] = seats[i].part();
    }
    Evaluation.run(operation, parts);
    for (Seat seat : seats) {
      Table table = seat.table;
      if (table != null) {
        table.write(seat);
      }
    }
  }

  /** Takes hold of a seat's row. False if the row is not there any more. */
  private static boolean hold(Seat seat) {
    Table table = seat.table;
    if (table == null) {
      return true;
    }
    for (int tries = 1; ; tries++) {
      Segment segment = table.segment(seat.low);
      int row = segment.find(seat.high, seat.low);
      long word = row < 0 ? Packing.MOVED : segment.first(row);
      if (word == Packing.MOVED || (word == Packing.ABSENT && seat.reservedIn != table)) {
        return false;
      }
      if (word == Packing.HELD) {
        table.await(seat.low, word, tries);
      } else if (seat.take(segment, row, word)) {
        table.open(seat);
        return true;
      }
    }
  }

  /** Locks the segments in which a seat's key has no row, if the operation may need one. */
  private void lockMissing(Operation operation, Seat[] seats, StripeLocks locks) {
    if (Placement.needsRow(operation)) {
      locks.lock(rows, missing(rows, seats));
      if (callRows != rows) {
        locks.lock(callRows, missing(callRows, seats));
      }
    }
  }

  private static long missing(Table table, Seat[] seats) {
    long stripes = 0;
    for (Seat seat : seats) {
      if (seat.partition.rows() == table && !table.has(seat.keyHigh, seat.keyLow)) {
        stripes |= 1L << table.stripe(seat.keyLow);
      }
    }
    return stripes;
  }
}
