package dev.stint.memory;

import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
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
 * <p>Nobody takes a lock while holding a row. Who finds a row moved lets go of everything and
 * starts anew. The lock is kept to the end, so that a key without a row is counted either in a row
 * or in an overflow cell, and never by two callers in both.
 */
final class Joint {

  private final Table rows;
  private final Placement placement;
  private final Clock clock;
  private final Sweeper sweeper;

  Joint(Table rows, Placement placement, Clock clock, Sweeper sweeper) {
    this.clock = clock;
    this.rows = rows;
    this.placement = placement;
    this.sweeper = sweeper;
  }

  /**
   * Fills the outcome of every seat.
   *
   * @param micros the reading of the clock that all decide by
   */
  void run(Operation operation, long micros, Seat... seats) {
    for (Seat seat : seats) {
      seat.identify();
    }
    if (seats.length == 1 && operation != Operation.UNDO && rows.run(operation, seats[0])) {
      seats[0].conclude();
      return;
    }
    long expired = clock.expired(micros);
    Seat[] held = seats.length == 1 ? seats : seats.clone();
    boolean done = false;
    while (!done) {
      long locked = lockMissing(operation, seats);
      int count = 0;
      try {
        boolean placed = true;
        for (int i = 0; placed && i < seats.length; i++) {
          placed = placement.place(operation, seats, i, locked, expired);
        }
        if (held.length > 1) {
          Arrays.sort(held, Seat.IN_ORDER);
        }
        while (placed && count < held.length && hold(held[count])) {
          count++;
        }
        if (count == held.length) {
          decide(operation, seats);
          done = true;
        }
      } finally {
        for (int i = 0; i < count; i++) {
          release(held[i]);
        }
        for (Seat seat : seats) {
          seat.unreserve();
        }
        unlock(locked);
      }
      if (!done) {
        Thread.yield();
      }
    }
    for (Seat seat : seats) {
      seat.conclude();
    }
    sweeper.ensureRunning();
  }

  private void decide(Operation operation, Seat[] seats) {
    Evaluation.Part[] parts = new Evaluation.Part[seats.length];
    for (int i = 0; i < seats.length; i++) {
      parts[i] = seats[i].part();
    }
    Evaluation.run(operation, parts);
    for (Seat seat : seats) {
      write(seat, seat.outcome);
    }
  }

  private static void write(Seat seat, Outcome outcome) {
    Table table = seat.table;
    if (table == null || seat.segment == null || !outcome.changed) {
      return;
    }
    long next = table.first(seat.state, outcome.resetAt);
    table.close(seat.segment, seat.row, next, seat.state, outcome.resetAt, seat.room);
    if (seat.word == Packing.ABSENT && next != Packing.ABSENT) {
      seat.reservedIn = null; // the row has the room now
    } else if (seat.word != Packing.ABSENT && next == Packing.ABSENT) {
      table.unreserve();
    }
    seat.word = next;
  }

  /** Takes hold of a seat's row. False if the row is not there any more. */
  private static boolean hold(Seat seat) {
    seat.segment = null;
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
      } else if (segment.hold(row, word)) {
        seat.segment = segment;
        seat.row = row;
        seat.word = word;
        seat.room = table.open(segment, row, word, seat.algorithm, seat.state);
        return true;
      }
    }
  }

  private static void release(Seat seat) {
    if (seat.segment != null) {
      seat.segment.release(seat.row, seat.word);
      seat.segment = null;
    }
  }

  /** Locks the segments in which a seat's key has no row, if the operation may need one. */
  private long lockMissing(Operation operation, Seat[] seats) {
    if (!Placement.needsRow(operation)) {
      return 0;
    }
    long stripes = 0;
    for (Seat seat : seats) {
      if (!rows.has(seat.keyHigh, seat.keyLow)) {
        stripes |= 1L << rows.stripe(seat.keyLow);
      }
    }
    for (long rest = stripes; rest != 0; rest &= rest - 1) {
      rows.lock(Long.numberOfTrailingZeros(rest)).lock();
    }
    return stripes;
  }

  private void unlock(long stripes) {
    for (long rest = stripes; rest != 0; rest &= rest - 1) {
      rows.lock(Long.numberOfTrailingZeros(rest)).unlock();
    }
  }
}
