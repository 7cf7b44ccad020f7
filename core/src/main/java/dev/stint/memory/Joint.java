package dev.stint.memory;

import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.Operation;
import java.util.concurrent.atomic.AtomicLong;

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

  private final Packing packing;
  private final Table rows;
  private final Table callRows;
  private final Placement placement;
  private final Clock clock;
  private final Sweeper sweeper;

  // How often a state may have come back to what it was before. Counted while the row is held.
  private final AtomicLong rewinds = new AtomicLong();

  /**
   * Runs operations on these rows.
   *
   * @param rows the rows of limits that were prepared
   * @param callRows the rows of all other limits; may be the same table
   */
  Joint(
      Packing packing,
      Table rows,
      Table callRows,
      Placement placement,
      Clock clock,
      Sweeper sweeper) {
    this.packing = packing;
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
      if (mayRewind(operation, seat)) {
        rewinds.incrementAndGet();
      }
      table.write(seat);
      return true;
    } finally {
      seat.giveBack();
    }
  }

  // ---- Several narrow rows that are there ----

  /**
   * Runs a hit or a peek on several narrow states that are there, and leaves what each answered in
   * its seat. False if one is not there, is not narrow or does not stay so, or lies ahead of the
   * clock, and if denied hits are counted; then nothing was done.
   *
   * <p>The states are read and decided on before any row is held. What is charged is charged by
   * taking hold of all rows, as long as each state is the one that was read, and releasing them
   * with the new states. What is not charged writes nothing: if all states are the same when they
   * are read again, they were so at one moment. For a state never comes back to what it was, except
   * in ways that are counted by {@link #rewinds()}.
   *
   * <p>A caller that finds others at work on the rows holds them first and then decides.
   */
  boolean runOnNarrow(Operation operation, Seat[] seats) {
    StackProbe.check();
    boolean take = operation == Operation.HIT;
    long before = rewinds();
    boolean free = true;
    // All are read before any row is held: where rows are not in the caches, they are fetched
    // together, while a compare-and-set would wait for each.
    for (Seat seat : seats) {
      if (changesUnasked(operation, seat)) {
        return false;
      }
      seat.word = seat.readNarrow();
      if (!Packing.isNarrow(seat.word)) {
        if (seat.word != Packing.HELD) {
          return false;
        }
        free = false;
      }
    }
    int[] order = seats[0].order(seats.length);
    sort(seats, order);
    if (free) {
      if (!answer(take, seats)) {
        return false;
      }
      if (!take || !agree(seats)) {
        if (areUnchanged(seats) && rewinds() == before) {
          keep(seats);
          return true;
        }
      } else if (charge(seats, order)) {
        return true;
      }
    }
    return runHolding(take, seats, order);
  }

  /**
   * Grows whenever a state may have come back to what it was before, or may do so because it was
   * forgotten. If the sum of these counts is the same, so is each of them: none ever shrinks.
   */
  private long rewinds() {
    return rewinds.get() + rows.forgotten() + callRows.forgotten();
  }

  /** Whether all states can be decided on in one word; fills the answers. */
  private boolean answer(boolean take, Seat[] seats) {
    for (Seat seat : seats) {
      long n = Math.min(seat.amount, Algorithm.MAX_COUNT);
      seat.answer = packing.decideNarrow(seat.word, seat.algorithm, seat.now, n, take);
      if (seat.answer == Packing.ABSENT) {
        return false;
      }
    }
    return true;
  }

  private static boolean agree(Seat[] seats) {
    boolean all = true;
    for (Seat seat : seats) {
      all &= seat.isShadow() || Packing.isAllowed(seat.answer);
    }
    return all;
  }

  private static boolean areUnchanged(Seat[] seats) {
    boolean same = true;
    for (Seat seat : seats) {
      same &= seat.readNarrow() == seat.word;
    }
    return same;
  }

  /** Makes the answers those of states that nothing was charged to. Makes no call. */
  private static void keep(Seat[] seats) {
    for (Seat seat : seats) {
      seat.answer = seat.word | (seat.answer & Packing.ALLOWED);
    }
  }

  /** Makes the states those after the charge. Makes no call, so all are charged or none. */
  private static void commit(Seat[] seats) {
    for (Seat seat : seats) {
      seat.word = seat.answer & ~Packing.ALLOWED;
    }
  }

  /** Charges all states, if each is still the one that was decided on. */
  private static boolean charge(Seat[] seats, int[] order) {
    try {
      for (int i = 0; i < seats.length; i++) {
        Seat seat = seats[order[i]];
        Segment segment = seat.partition.rows().segment(seat.low);
        int row = segment.find(seat.row, seat.high, seat.low);
        if (row < 0 || !seat.take(segment, row, seat.word)) {
          return false;
        }
      }
      commit(seats);
      return true;
    } finally {
      giveBack(seats);
    }
  }

  /** Takes hold of all rows, and decides then. */
  private boolean runHolding(boolean take, Seat[] seats, int[] order) {
    try {
      for (int i = 0; i < seats.length; i++) {
        if (!holdNarrow(seats[order[i]])) {
          return false;
        }
      }
      if (!answer(take, seats)) {
        return false;
      }
      if (take && agree(seats)) {
        commit(seats);
      } else {
        keep(seats);
      }
      return true;
    } finally {
      giveBack(seats);
    }
  }

  /** Takes hold of a seat's row. False if there is no narrow state. */
  private static boolean holdNarrow(Seat seat) {
    Table table = seat.partition.rows();
    for (int tries = 1; ; tries++) {
      Segment segment = table.segment(seat.low);
      int row = segment.find(seat.high, seat.low);
      long word = row < 0 ? Packing.ABSENT : segment.first(row);
      if (Packing.isNarrow(word)) {
        if (seat.take(segment, row, word)) {
          return true;
        }
      } else if (word == Packing.HELD) {
        table.await(seat.low, word, tries);
      } else {
        return false;
      }
    }
  }

  /** Sorts positions of seats by the order in which their rows are held. */
  private static void sort(Seat[] seats, int[] order) {
    for (int i = 0; i < seats.length; i++) {
      int at = i;
      while (at > 0 && seats[i].isBefore(seats[order[at - 1]])) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = i;
    }
  }

  // ---- Several rows, and rows that are not there ----

  private void runOnAll(Operation operation, long micros, Seat[] seats) {
    int[] order = seats[0].order(seats.length);
    StripeLocks locks = new StripeLocks(rows, callRows);
    boolean done = false;
    try {
      while (!attempt(operation, micros, seats, order, locks)) {
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
      Operation operation, long micros, Seat[] seats, int[] order, StripeLocks locks) {
    try {
      lockMissing(operation, seats, locks);
      Clock.Reading now = locks.isEmpty() ? clock.at(micros) : read(seats);
      for (int i = 0; i < seats.length; i++) {
        if (!placement.place(operation, seats, i, locks, now)) {
          return false;
        }
      }
      sort(seats, order);
      for (int i = 0; i < seats.length; i++) {
        if (!hold(seats[order[i]])) {
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
    giveBack(seats);
    locks.unlock();
  }

  private static void giveBack(Seat[] seats) {
    for (Seat seat : seats) {
      seat.giveBack();
    }
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
   * Whether an old reading could do harm: a state lies ahead of it, or is missing, or is changed
   * without being asked. The lock of a missing row is no help: it keeps others from making the row,
   * but a row that was there when the clock was read can have been forgotten since.
   */
  private static boolean mayBeStale(Operation operation, Seat[] seats) {
    for (Seat seat : seats) {
      if (changesUnasked(operation, seat) || seat.isNew() || seat.isAhead()) {
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

  /**
   * Whether a state may become one that it was before. Hits and charges only ever move it on. What
   * is forgotten is counted by its table.
   */
  private static boolean mayRewind(Operation operation, Seat seat) {
    boolean movesOn = operation.asks() || operation == Operation.INC || operation == Operation.GET;
    return !movesOn || seat.state.moved;
  }

  private void decide(Operation operation, Seat[] seats) {
    boolean all = true;
    for (Seat seat : seats) {
      all &= seat.begin(operation) || seat.isShadow();
    }
    for (Seat seat : seats) {
      seat.finish(operation, all);
    }
    for (Seat seat : seats) {
      Table table = seat.table;
      if (table != null) {
        if (mayRewind(operation, seat)) {
          rewinds.incrementAndGet();
        }
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
