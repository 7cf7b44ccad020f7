package dev.stint.memory;

import dev.stint.Limit;
import dev.stint.StoreException;
import dev.stint.algorithm.FixedWindow;
import dev.stint.algorithm.Operation;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Decides where a key is counted: in a row of its own, or, once the table is full, where {@link
 * Overflow} says.
 *
 * <p>Overflow cells are rows too, of a table of their own. A key meets its cell whenever it has no
 * row; as long as the cell still counts, the key stays there, even if the table has room again, or
 * the change would wipe out its debt.
 */
final class Placement {

  /** Cells for each limit. */
  private static final int CELLS = 4096;

  /** Cells in all; more would only be needed by dozens of limits that overflow at once. */
  static final int MOST_CELLS = 16 * CELLS;

  /** How often one caller looks for expired logs, at most. */
  private static final int MOST_LOOKS = 64;

  private final Table rows;
  private final Table cells;
  private final Overflow overflow;
  private final LogBudget logBudget;

  Placement(Table rows, Table cells, Overflow overflow, LogBudget logBudget) {
    this.rows = rows;
    this.cells = cells;
    this.overflow = overflow;
    this.logBudget = logBudget;
  }

  /**
   * Whether the operation may write where nothing is remembered yet, or must answer as if it did.
   */
  static boolean needsRow(Operation operation) {
    return operation.asks() || operation == Operation.INC || operation == Operation.SET;
  }

  /**
   * Finds the seat {@code i} a place.
   *
   * @param locked the stripes whose locks the caller has
   * @param expired what expires by then has expired
   * @return false if the key's row vanished meanwhile and its lock is needed
   */
  boolean place(Operation operation, Seat[] seats, int i, long locked, long expired) {
    Seat seat = seats[i];
    seat.leave();
    if (rows.has(seat.keyHigh, seat.keyLow)) {
      seat.sit(rows, false, seat.keyHigh, seat.keyLow);
      return true;
    }
    if (!needsRow(operation)) {
      if (operation == Operation.GET) {
        sitInLiveCell(seats, i, expired);
      }
      return true;
    }
    if ((locked & 1L << rows.stripe(seat.keyLow)) == 0) {
      return false;
    }
    if (operation != Operation.SET && sitInLiveCell(seats, i, expired)) {
      return true;
    }
    boolean log = seat.limit.kind() == Limit.Kind.SLIDING_LOG;
    if ((!log || hasLogRoom(expired)) && rows.reserve(expired)) {
      seat.reservedIn = rows;
      if (operation != Operation.PEEK) {
        rows.ensureRow(seat.keyHigh, seat.keyLow, expired, seats.length);
        seat.sit(rows, false, seat.keyHigh, seat.keyLow);
      }
      return true;
    }
    overflow(operation, seats, i, expired);
    return true;
  }

  /** Whether the budget has room for one more log, if need be after looking for expired ones. */
  private boolean hasLogRoom(long expired) {
    for (int tries = 0; logBudget.isSpent(); tries++) {
      boolean freed = rows.frees(expired);
      freed |= cells.frees(expired); // both tables hold logs
      if (tries == MOST_LOOKS || !freed) {
        return false;
      }
    }
    return true;
  }

  private boolean sitInLiveCell(Seat[] seats, int i, long expired) {
    if (cells.size() == 0) {
      return false;
    }
    chooseCell(seats, i);
    Seat seat = seats[i];
    if (cells.isLive(seat.high, seat.low, expired)) {
      seat.sit(cells, true, seat.high, seat.low);
      return true;
    }
    return false;
  }

  private void overflow(Operation operation, Seat[] seats, int i, long expired) {
    Seat seat = seats[i];
    boolean quota = seat.limit.kind() == Limit.Kind.QUOTA;
    boolean shares = overflow == Overflow.SHARE && !quota && operation != Operation.SET;
    if (!operation.asks() && !shares) {
      throw full();
    }
    seat.shared = true;
    if (shares) {
      chooseCell(seats, i);
      if (operation == Operation.PEEK || sitInNewCell(seat, expired, seats.length)) {
        return;
      }
      if (!operation.asks()) {
        throw full();
      }
    }
    answerUncounted(seat, overflow == Overflow.ALLOW && !quota);
  }

  private StoreException full() {
    return new StoreException(
        logBudget.isSpent()
            ? "the store must have room for a new log, but its budget is spent; make logBudget larger"
            : "the store must have room for a new key, but all "
                + rows.size()
                + " are in use; make maxKeys larger");
  }

  private boolean sitInNewCell(Seat seat, long expired, int seats) {
    if (!cells.has(seat.high, seat.low)) {
      if (!cells.reserve(expired)) {
        return false;
      }
      seat.reservedIn = cells;
      ReentrantLock lock = cells.lock(cells.stripe(seat.low));
      lock.lock();
      try {
        cells.ensureRow(seat.high, seat.low, expired, seats);
      } finally {
        lock.unlock();
      }
    }
    seat.sit(cells, true, seat.high, seat.low);
    return true;
  }

  /** Has the seat answer from a window that nobody keeps: all free, or all used just now. */
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
    for (long cell = seat.keyHigh & (CELLS - 1); ; cell++) {
      seat.high = mix(cell) ^ seat.limit.identityHigh();
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
