package dev.stint.server.net;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Connections that are accepted and wait to be served, because there is no memory for them or the
 * event loops are behind. Peers take turns, so that a flood from one address does not hold up the
 * connections of another.
 *
 * <p>They wait here and not in the kernel's queue: that one is in order of arrival, and when it is
 * full, a client waits a second before it tries again.
 *
 * @param <C> a connection
 */
final class ArrivalQueue<C> {

  private final int most;

  /** By peer, the one whose turn it is first. */
  private final Map<Object, ArrayDeque<Arrival<C>>> peers = new LinkedHashMap<>();

  private int size;

  /**
   * A connection that has come.
   *
   * @param at when, in milliseconds
   */
  record Arrival<C>(Object peer, C connection, long at) {}

  /** A queue of at most so many. */
  ArrivalQueue(int most) {
    this.most = most;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /**
   * Adds a connection.
   *
   * @return the connection that has to give way if there are too many: the oldest of the peer with
   *     the most
   */
  @Nullable Arrival<C> add(Arrival<C> arrival) {
    peers.computeIfAbsent(arrival.peer, address -> new ArrayDeque<>()).add(arrival);
    size++;
    return size > most ? remove(largest()) : null;
  }

  private Object largest() {
    return peers.entrySet().stream()
        .max(Comparator.comparingInt(peer -> peer.getValue().size()))
        .orElseThrow()
        .getKey();
  }

  /** The connection whose turn it is; null if none waits. */
  @Nullable Arrival<C> next() {
    return isEmpty() ? null : peers.values().iterator().next().peek();
  }

  /** Removes the connection whose turn it is. The next turn is another peer's. */
  void remove() {
    Object peer = peers.keySet().iterator().next();
    ArrayDeque<Arrival<C>> others = remove(peer) == null ? null : peers.remove(peer);
    if (others != null) {
      peers.put(peer, others);
    }
  }

  private @Nullable Arrival<C> remove(Object peer) {
    ArrayDeque<Arrival<C>> waiting = peers.get(peer);
    if (waiting == null) {
      return null;
    }
    Arrival<C> oldest = waiting.poll();
    size--;
    if (waiting.isEmpty()) {
      peers.remove(peer);
    }
    return oldest;
  }
}
