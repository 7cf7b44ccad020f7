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
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all clients together may make the process hold, and the connections that hold it.
 *
 * <p>Every connection has a {@link ConnectionBudget} from the moment it is accepted. When a pool is
 * full, the connections that are longest without progress are closed first. Which peer has to give
 * is decided by the sum over its stalled connections, so that thousands of small holders do not
 * outlive one busy connection. A connection that made progress a moment ago is never closed; if
 * only such connections are left, what asks for more is refused.
 */
public final class ByteBudget {

  /** A connection that made progress within this time is not closed. */
  static final long GRACE_MILLIS = 200;

  /**
   * A connection that never completed a request counts as stalled for so many times as long as one
   * that did: a client with an idle pool survives a flood of silent sockets.
   */
  static final int UNPROVEN = 8;

  /** How long to wait after a scan that did not find enough. */
  private static final long PAUSE_MILLIS = 20;

  private static final int SHARES = 8;

  private final Pool heap;
  private final Pool direct;
  private final long share;
  private final LongSupplier clock;
  private final Set<ConnectionBudget> connections = ConcurrentHashMap.newKeySet();
  private final ReentrantLock scanning = new ReentrantLock();
  private volatile long nextScan = Long.MIN_VALUE;

  /**
   * A budget.
   *
   * @param heap bytes of heap for all clients
   * @param direct bytes of direct memory for all clients
   * @param largest the bytes that a connection must be able to hold, for its largest request
   * @param clock milliseconds that only grow; read for every request
   */
  public ByteBudget(long heap, long direct, long largest, LongSupplier clock) {
    this.heap = new Pool(RejectionCause.MEMORY, heap, ConnectionBudget::heap);
    this.direct = new Pool(RejectionCause.MEMORY, direct, ConnectionBudget::direct);
    this.share = Math.min(heap / 2, Math.max(heap / SHARES, largest));
    this.clock = clock;
  }

  /** Without bounds, for a connection that no listener accepted. */
  static ByteBudget unbounded() {
    return new ByteBudget(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2, 0, () -> 0);
  }

  // ---- connections ----

  /**
   * Counts a connection from now on; null if there is no room for it and none can be made.
   *
   * @param least the bytes that it takes even if it never sends anything
   * @param peer the address that it counts for, see {@link Peers}
   * @param closer closes it at once, from any thread
   */
  @Nullable ConnectionBudget accept(
      Connections listener, long least, Object peer, Runnable closer) {
    ConnectionBudget connection = new ConnectionBudget(this, listener, least, peer, closer);
    if (!reserve(listener.pool(), 1)) {
      listener.counters().rejected(RejectionCause.CONNECTION_LIMIT);
      return null;
    }
    if (!reserve(heap, least)) {
      listener.pool().add(-1);
      listener.counters().rejected(RejectionCause.MEMORY);
      return null;
    }
    connections.add(connection);
    return connection;
  }

  void remove(ConnectionBudget connection) {
    connections.remove(connection);
  }

  // ---- pools ----

  /** Takes some of a pool; false if there is none left and none can be reclaimed. */
  boolean reserve(Pool pool, long amount) {
    pool.add(amount);
    if (pool.fits()) {
      return true;
    }
    reclaim(pool);
    if (pool.fits()) {
      return true;
    }
    pool.add(-amount);
    return false;
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

  // ---- reclaiming ----

  private void reclaim(Pool pool) {
    if (now() < nextScan || !scanning.tryLock()) {
      return;
    }
    try {
      long missing = pool.excess();
      List<ConnectionBudget> victims = victims(pool, missing);
      for (ConnectionBudget victim : victims) {
        missing -= pool.usedBy(victim);
        victim.evict(pool.cause());
      }
      if (missing > 0) {
        nextScan = now() + PAUSE_MILLIS;
      }
    } finally {
      scanning.unlock();
    }
  }

  /** Whom to close to get so much of a pool back, in order. */
  List<ConnectionBudget> victims(Pool pool, long needed) {
    long now = now();
    Map<Object, Peer> peers = new HashMap<>();
    for (ConnectionBudget connection : connections) {
      long use = pool.usedBy(connection);
      long stalled = connection.stalledFor(now);
      if (use > 0 && stalled >= GRACE_MILLIS && !connection.isLeaving()) {
        peers
            .computeIfAbsent(connection.peer(), address -> new Peer())
            .add(new Stalled(connection, stalled, use));
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

    void sort() {
      connections.sort(Comparator.comparingLong(Stalled::millis).reversed());
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
