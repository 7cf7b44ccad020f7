package dev.stint.memory;

import dev.stint.Limit;
import dev.stint.StoreException;
import dev.stint.algorithm.FixedWindow;
import dev.stint.algorithm.Operation;
import dev.stint.memory.Clock.Reading;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Decides where a key is counted: in a row of its own, or, once the table is full, where {@link
 * Overflow} says.
 *
 * <p>Overflow cells are rows too, of tables of their own. A key is counted in its cell while it has
 * no row; as long as the cell still counts, the key stays there, even if the table has room again,
 * or the change would wipe out its debt.
 *
 * <p>Each limit has {@value #CELLS} cells. Those of prepared limits are there whenever they are
 * needed, so that no limit can take another's. All limits that are given in calls, of which there
 * may be any number, have {@value #CALL_CELLS} between them.
 */
final class Placement {

  /** Cells for each limit. */
  static final int CELLS = 4096;

  /** Cells for all limits together that are given in calls. */
  static final int CALL_CELLS = 16 * CELLS;

  /** How often one caller looks for expired logs, at most. */
  private static final int MOST_LOOKS = 64;

  private final List<Table> tables;
  private final Overflow overflow;

  /**
   * Places keys.
   *
   * @param tables all tables of the store, which may hold logs
   */
  Placement(List<Table> tables, Overflow overflow) {
    this.tables = tables;
    this.overflow = overflow;
  }

  /**
   * Whether the operation may write where nothing is remembered yet, or must answer as if it did.
   */
  static boolean needsRow(Operation operation) {
    return operation.asks() || operation == Operation.INC || operation == Operation.SET;
  }

  /**
   * Chooses where seat {@code i} is counted.
   *
   * @param locks the locks that the caller has
   * @param now what expires by then has expired
   * @return false if the key's row vanished meanwhile and its lock is needed
   */
  boolean place(Operation operation, Seat[] seats, int i, StripeLocks locks, Reading now) {
    Seat seat = seats[i];
    Table rows = seat.partition.rows();
    seat.leave();
    if (rows.has(seat.keyHigh, seat.keyLow)) {
      seat.sit(rows, false, seat.keyHigh, seat.keyLow);
      return true;
    }
    if (!needsRow(operation)) {
      if (operation == Operation.GET) {
        sitInLiveCell(seats, i, now);
      }
      return true;
    }
    if (!locks.has(rows, rows.stripe(seat.keyLow))) {
      return false;
    }
    if (operation != Operation.SET && sitInLiveCell(seats, i, now)) {
      return true;
    }
    boolean log = seat.limit.kind() == Limit.Kind.SLIDING_LOG;
    if ((!log || hasLogRoom(rows.logBudget(), now)) && rows.reserve(now)) {
      seat.reservedIn = rows;
      if (operation != Operation.PEEK) {
        rows.ensureRow(seat.keyHigh, seat.keyLow, now, seats.length);
        seat.sit(rows, false, seat.keyHigh, seat.keyLow);
      }
      return true;
    }
    overflow(operation, seats, i, now);
    return true;
  }

  /** Whether the budget has room for one more log, if need be after looking for expired ones. */
  private boolean hasLogRoom(LogBudget logBudget, Reading now) {
    for (int tries = 0; logBudget.isSpent(); tries++) {
      boolean freed = false;
      for (Table table : tables) {
        freed |= table.logBudget() == logBudget && table.frees(now);
      }
      if (tries == MOST_LOOKS || !freed) {
        return false;
      }
    }
    return true;
  }

  private static boolean sitInLiveCell(Seat[] seats, int i, Reading now) {
    Seat seat = seats[i];
    Table cells = seat.partition.cells();
    if (cells.size() == 0) {
      return false;
    }
    chooseCell(seats, i);
    if (cells.isLive(seat.high, seat.low, now)) {
      seat.sit(cells, true, seat.high, seat.low);
      return true;
    }
    return false;
  }

  private void overflow(Operation operation, Seat[] seats, int i, Reading now) {
    Seat seat = seats[i];
    boolean quota = seat.limit.kind() == Limit.Kind.QUOTA;
    boolean shares = overflow == Overflow.SHARE && !quota && operation != Operation.SET;
    if (!operation.asks() && !shares) {
      throw full(seat.partition);
    }
    seat.shared = true;
    if (shares) {
      chooseCell(seats, i);
      if (sitInNewCell(operation, seat, now, seats.length)) {
        return;
      }
      if (!operation.asks()) {
        throw full(seat.partition);
      }
    }
    answerUncounted(seat, overflow == Overflow.ALLOW && !quota);
  }

  private static StoreException full(Partition partition) {
    return new StoreException(
        partition.rows().logBudget().isSpent()
            ? "the store must have room for a new log, but its budget is spent; make logBudget larger"
            : "the store must have room for a new key, but all "
                + partition.rows().size()
                + " are in use; make "
                + partition.setting()
                + " larger");
  }

  /** Whether there is a cell for the seat; a peek only asks, and takes none. */
  private static boolean sitInNewCell(Operation operation, Seat seat, Reading now, int seats) {
    Table cells = seat.partition.cells();
    boolean isThere = cells.has(seat.high, seat.low);
    if (!isThere && !cells.reserve(now)) {
      return false;
    }
    seat.reservedIn = isThere ? null : cells;
    if (operation == Operation.PEEK) {
      return true;
    }
    if (!isThere) {
      makeCell(cells, seat, now, seats);
    }
    seat.sit(cells, true, seat.high, seat.low);
    return true;
  }

  private static void makeCell(Table cells, Seat seat, Reading now, int seats) {
    ReentrantLock lock = cells.lock(cells.stripe(seat.low));
    try {
      lock.lock();
      cells.ensureRow(seat.high, seat.low, now, seats);
    } finally {
      StripeLocks.unlock(lock);
    }
  }

  /** Answers from a window that is not kept: all free, or all used just now. */
  private static void answerUncounted(Seat seat, boolean free) {
    long capacity = seat.limit.capacity();
    if (seat.limit.kind() != Limit.Kind.QUOTA) {
      seat.algorithm = new FixedWindow(capacity, seat.algorithm.window(), false, false);
    }
    if (!free) {
      seat.state.present = true;
      seat.state.time = seat.now;
      seat.state.count = capacity;
    }
  }

  /** The seat's cell; two keys of one call never share one, or one would be charged unasked. */
  private static void chooseCell(Seat[] seats, int i) {
    Seat seat = seats[i];
    // The lowest bit of a fingerprint is the same for all keys of a limit.
    for (long cell = (seat.keyHigh >>> 1) & (CELLS - 1); ; cell++) {
      seat.high = Table.high(seat.limit, mix(cell));
      seat.low = mix(~cell) ^ seat.limit.identityLow();
      boolean free = true;
      for (int j = 0; j < i; j++) {
        free &= !(seats[j].shared && seats[j].high == seat.high && seats[j].low == seat.low);
      }
      if (free) {
        return;
      }
    }
  }

  /**
   * Spreads a small number over a word. The limit's secret fingerprint keeps it from being
   * foreseen.
   */
  private static long mix(long n) {
    long x = n * 0x9e3779b97f4a7c15L;
    x = (x ^ (x >>> 32)) * 0xd6e8feb86659fd93L;
    return x ^ (x >>> 32);
  }
}
