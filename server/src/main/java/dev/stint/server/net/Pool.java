package dev.stint.server.net;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Something that connections use up together: bytes of heap or direct memory, or their number. */
final class Pool {

  /** What is freed beyond need when it is full, as a part of the whole, so that scans are rare. */
  private static final int SPARE = 50;

  /** By how much it may be exceeded while connections that were told to close still count. */
  private static final int LEAVING_ROOM = 4;

  /**
   * By how much connections that hold little may exceed it. Without this reserve, connections that
   * hold much, and were read a moment ago, could shut out every small request.
   */
  private static final int SMALL_ROOM = 3;

  private static final long SCAN_PAUSE_MILLIS = 10;

  private final RejectionCause cause;
  private final long total;
  private final ToLongFunction<ConnectionBudget> use;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong leaving = new AtomicLong();

  // Guarded by the lock of scans.
  private final ArrayDeque<ConnectionBudget> candidates = new ArrayDeque<>();
  private long lastScan = -SCAN_PAUSE_MILLIS;

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
    return now <= total || (now - leaving.get() <= total && now <= total + total / LEAVING_ROOM);
  }

  /** The same for a connection that holds little. */
  boolean fitsSmall() {
    return used.get() <= total + total / SMALL_ROOM;
  }

  /** How much to reclaim when it does not fit. */
  long excess() {
    return used.get() - leaving.get() - total + total / SPARE;
  }

  /**
   * Whether to look for connections to close. A scan of thousands of connections takes
   * milliseconds, so it is not repeated for a while, whether it has found enough or not.
   */
  boolean mayScan(long now) {
    return now - lastScan >= SCAN_PAUSE_MILLIS;
  }

  /** What a scan has found, in the order in which to close. */
  void candidates(List<ConnectionBudget> found, long now) {
    lastScan = now;
    candidates.clear();
    candidates.addAll(found);
  }

  @Nullable ConnectionBudget nextCandidate() {
    return candidates.poll();
  }

  RejectionCause cause() {
    return cause;
  }
}
