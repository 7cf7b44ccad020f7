package dev.stint.server.net;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/** Something that connections use up together: bytes of heap or direct memory, or their number. */
final class Pool {

  /** What is freed beyond need when it is full, as a part of the whole, so that scans are rare. */
  private static final int SPARE = 50;

  /** By how much it may be exceeded while connections that were told to close still count. */
  private static final int HEADROOM = 4;

  private final RejectionCause cause;
  private final long total;
  private final ToLongFunction<ConnectionBudget> use;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong leaving = new AtomicLong();

  /**
   * A pool.
   *
   * @param cause why connections are closed when it is full
   * @param use how much of it a connection uses
   */
  Pool(RejectionCause cause, long total, ToLongFunction<ConnectionBudget> use) {
    this.cause = cause;
    this.total = total;
    this.use = use;
  }

  long total() {
    return total;
  }

  long used() {
    return used.get();
  }

  long usedBy(ConnectionBudget connection) {
    return use.applyAsLong(connection);
  }

  void add(long amount) {
    used.addAndGet(amount);
  }

  /** Counts what a connection holds that was told to close, so that it is not reclaimed twice. */
  void leaves(long amount) {
    leaving.addAndGet(amount);
  }

  /** Whether what stays fits, and what leaves is not too much to wait for. */
  boolean fits() {
    long now = used.get();
    return now <= total || (now - leaving.get() <= total && now <= total + total / HEADROOM);
  }

  /** How much to reclaim when it does not fit. */
  long excess() {
    return used.get() - leaving.get() - total + total / SPARE;
  }

  RejectionCause cause() {
    return cause;
  }
}
