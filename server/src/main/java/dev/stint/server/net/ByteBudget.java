package dev.stint.server.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all clients together may make the process hold, and the connections that hold it.
 *
 * <p>Every connection has a {@link ConnectionBudget} from the moment it is accepted. When a pool is
 * full, the connections that are longest without progress are closed first. Which peer has to give
 * is decided by the sum over its stalled connections, so that thousands of small holders do not
 * outlive one busy connection. A connection that made progress a moment ago is never closed; if
 * only such connections are left, what asks for more is refused. Connections that hold little have
 * a reserve of their own, so that ordinary clients are not refused with the others.
 *
 * <p>A connection that was chosen is closed by its event loop, after the loop has read its sockets:
 * one that makes progress then stays. On a machine that is too busy to read in time, every
 * connection looks stalled.
 */
public final class ByteBudget {

  /** A connection that made progress within this time is not closed; a new one has an eighth. */
  static final long GRACE_MILLIS = 200;

  /**
   * A connection that never completed a request counts as stalled for so many times as long as one
   * that did. For one that did and holds little now, the time is divided by this instead: it is
   * idle, as pooled connections often are. So ordinary clients survive a flood of silent sockets,
   * and one of connections that hold much.
   */
  static final int WEIGHT = 8;

  /** What an ordinary client needs beyond its connection: TLS, HTTP/2, a small request or two. */
  static final long SMALL = 96 << 10;

  /**
   * How often others are closed to make room for a connection that holds much and was never
   * answered. Otherwise a crowd of such connections would replace each other as fast as they can be
   * read, and keep all processors busy with it.
   */
  static final long UNPROVEN_PAUSE_MILLIS = 100;

  /** A scan of all connections looks for so large a part of a pool, for the next requests too. */
  private static final int SCANNED = 4;

  private static final int SHARES = 8;

  private final Pool heap;
  private final Pool direct;
  private final long share;
  private final LongSupplier clock;
  private final Runnable clockAdvance;
  private final Set<ConnectionBudget> connections = ConcurrentHashMap.newKeySet();
  private final ReentrantLock scanning = new ReentrantLock();
  private volatile long lastUnproven = -UNPROVEN_PAUSE_MILLIS;

  /**
   * A budget.
   *
   * @param heap bytes of heap for all clients
   * @param direct bytes of direct memory for all clients
   * @param largest the bytes that a connection must be able to hold, for its largest request
   * @param clock milliseconds that only grow; read for every request
   * @param clockAdvance makes the clock as late as it is, which an event loop may be late to do
   */
  public ByteBudget(
      long heap, long direct, long largest, LongSupplier clock, Runnable clockAdvance) {
    this.heap = new Pool(RejectionCause.MEMORY, heap, ConnectionBudget::heap);
    this.direct = new Pool(RejectionCause.MEMORY, direct, ConnectionBudget::direct);
    this.share = Math.min(heap / 2, Math.max(heap / SHARES, largest));
    this.clock = clock;
    this.clockAdvance = clockAdvance;
  }

  /** Without bounds, for a connection that no listener accepted. */
  static ByteBudget unbounded() {
    return new ByteBudget(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, 0, () -> 0, () -> {});
  }

  // ---- connections ----

  /**
   * Counts a connection from now on; null if there is no room for it now.
   *
   * @param least the bytes that it takes even if it never sends anything
   * @param peer the address that it counts for, see {@link Peers}
   * @param closer closes it at once, from any thread
   */
  @Nullable ConnectionBudget accept(
      Connections listener, long least, Object peer, Runnable closer) {
    ConnectionBudget connection = new ConnectionBudget(this, listener, least, peer, closer);
    if (!reserve(listener.pool(), 1, Pool::fits)) {
      return null;
    }
    if (!reserve(heap, least, Pool::fitsSmall)) {
      listener.pool().add(-1);
      return null;
    }
    connections.add(connection);
    return connection;
  }

  void remove(ConnectionBudget connection) {
    connections.remove(connection);
  }

  /** Why a connection cannot be accepted. */
  RejectionCause cause(Connections listener) {
    if (!listener.pool().fits()) {
      return RejectionCause.CONNECTION_LIMIT;
    }
    return heap.fits() ? RejectionCause.BUSY : RejectionCause.MEMORY;
  }

  // ---- pools ----

  /**
   * Takes some of a pool; false if there is none left and none can be reclaimed.
   *
   * @param fits whether the pool has room for this kind of use when nothing more can be reclaimed
   */
  private boolean reserve(Pool pool, long amount, Predicate<Pool> fits) {
    return reserve(pool, amount, fits, () -> true);
  }

  /**
   * The same.
   *
   * @param mayReclaim whether others may be closed for it now
   */
  private boolean reserve(
      Pool pool, long amount, Predicate<Pool> fits, BooleanSupplier mayReclaim) {
    pool.add(amount);
    if (pool.fits()) {
      return true;
    }
    if (mayReclaim.getAsBoolean()) {
      reclaim(pool);
    }
    if (pool.fits() || fits.test(pool)) {
      return true;
    }
    pool.add(-amount);
    return false;
  }

  /**
   * Takes some of the heap for a connection.
   *
   * @param small whether it holds little
   * @param proven whether a request of it was answered
   */
  boolean reserveHeap(long amount, boolean small, boolean proven) {
    return small
        ? reserve(heap, amount, Pool::fitsSmall)
        : reserve(heap, amount, Pool::fits, () -> proven || mayReclaimUnproven());
  }

  /** True once in a while. Of two threads that ask at once, both may be told so. */
  private boolean mayReclaimUnproven() {
    long now = now();
    if (now - lastUnproven < UNPROVEN_PAUSE_MILLIS) {
      return false;
    }
    lastUnproven = now;
    return true;
  }

  /** Counts what is there already, and reclaims if it is too much. */
  void force(Pool pool, long amount) {
    pool.add(amount);
    if (amount > 0 && !pool.fits()) {
      reclaim(pool);
    }
  }

  Pool heapPool() {
    return heap;
  }

  Pool directPool() {
    return direct;
  }

  /** The most heap that one connection may hold. */
  public long share() {
    return share;
  }

  long now() {
    return clock.getAsLong();
  }

  void advanceClock() {
    clockAdvance.run();
  }

  // ---- reclaiming ----

  /** Closes connections until the pool fits, as far as there are any to close. */
  private void reclaim(Pool pool) {
    scanning.lock(); // for as long as a scan takes: what it frees is also for those that wait
    try {
      advanceClock();
      long now = now();
      long missing = pool.fits() ? 0 : pool.excess();
      if (missing > 0 && pool.mayScan(now)) {
        pool.candidates(victims(pool, Math.max(missing, pool.total() / SCANNED)), now);
      }
      while (missing > 0) {
        ConnectionBudget next = pool.nextCandidate();
        if (next == null) {
          return;
        }
        if (isVictim(next, pool, now)) {
          missing -= pool.usedBy(next);
          next.evict(pool.cause());
        }
      }
    } finally {
      scanning.unlock();
    }
  }

  private static boolean isVictim(ConnectionBudget connection, Pool pool, long now) {
    return pool.usedBy(connection) > 0
        && !connection.isLeaving()
        && connection.stalledFor(now) >= grace(connection, pool);
  }

  /**
   * A new connection that holds little has all of the grace where bytes are missing. Its end would
   * free hardly any, and on a busy machine its first answer may take longer than an eighth.
   */
  private static long grace(ConnectionBudget connection, Pool pool) {
    boolean isNewAndSmall = !connection.isProven() && connection.isSmall();
    return isNewAndSmall && pool.cause() == RejectionCause.MEMORY
        ? WEIGHT * GRACE_MILLIS
        : GRACE_MILLIS;
  }

  /** Whom to close to get so much of a pool back, in order. */
  List<ConnectionBudget> victims(Pool pool, long needed) {
    long now = now();
    Map<Object, Peer> peers = new HashMap<>();
    for (ConnectionBudget connection : connections) {
      if (isVictim(connection, pool, now)) {
        peers
            .computeIfAbsent(connection.peer(), address -> new Peer())
            .add(new Stalled(connection, connection.stalledFor(now), pool.usedBy(connection)));
      }
    }
    PriorityQueue<Peer> largestFirst =
        new PriorityQueue<>(Comparator.comparingLong((Peer peer) -> peer.sum).reversed());
    for (Peer peer : peers.values()) {
      peer.sort();
      largestFirst.add(peer);
    }
    List<ConnectionBudget> victims = new ArrayList<>();
    long freed = 0;
    while (freed < needed && !largestFirst.isEmpty()) {
      Peer peer = largestFirst.remove();
      Stalled next = peer.remove();
      victims.add(next.connection);
      freed += next.use;
      if (!peer.inOrder.isEmpty()) {
        largestFirst.add(peer);
      }
    }
    return victims;
  }

  private record Stalled(ConnectionBudget connection, long millis, long use) {}

  private static final class Peer {
    private final List<Stalled> connections = new ArrayList<>();
    private final ArrayDeque<Stalled> inOrder = new ArrayDeque<>();
    private long sum;

    void add(Stalled connection) {
      connections.add(connection);
      sum += connection.use;
    }

    /** Connections that hold little come last: to close them would free little. */
    void sort() {
      connections.sort(
          Comparator.comparing((Stalled one) -> one.use <= SMALL)
              .thenComparing(Comparator.comparingLong(Stalled::millis).reversed()));
      inOrder.addAll(connections);
    }

    Stalled remove() {
      Stalled longest = inOrder.remove();
      sum -= longest.use;
      return longest;
    }
  }

  // ---- for operators ----

  /** Bytes of heap that clients hold now, as far as they are counted. */
  public long heapUsed() {
    return heap.used();
  }

  /** Bytes of heap that they may hold. */
  public long heapTotal() {
    return heap.total();
  }

  /** Bytes of direct memory that clients hold now. */
  public long directUsed() {
    return direct.used();
  }

  /** Bytes of direct memory that they may hold. */
  public long directTotal() {
    return direct.total();
  }
}
