package dev.stint.server.net;

import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Lets each peer have only so many TLS handshakes in progress on a listener; its further
 * connections do not get an event loop until one has ended.
 *
 * <p>The first message of a handshake costs a client nothing and the service a millisecond of
 * processor time. A flood of them from one address would delay the handshakes of all others. A
 * handshake that ends makes room at once, so clients that go on with theirs are not held up.
 */
final class HandshakeQueue {

  /** Handshakes of one peer at a time. */
  static final int MOST = 32;

  /** A handshake that has taken longer is closed if others of the same peer wait. */
  static final long LONGEST_MILLIS = 3000;

  private final LongSupplier clock;
  private final Consumer<Channel> starter;
  private final Consumer<Channel> closer;
  private final Map<Object, Peer> peers = new HashMap<>();
  private boolean closed;

  private static final class Peer {
    /** When each handshake in progress began, the oldest first. */
    private final Map<Channel, Long> running = new LinkedHashMap<>();

    private final Queue<Channel> waiting = new ArrayDeque<>();
  }

  /**
   * A queue.
   *
   * @param clock milliseconds
   * @param starter begins the handshake of a connection, from any thread
   * @param closer closes a connection, from any thread
   */
  HandshakeQueue(LongSupplier clock, Consumer<Channel> starter, Consumer<Channel> closer) {
    this.clock = clock;
    this.starter = starter;
    this.closer = closer;
  }

  /**
   * A connection has come: its handshake begins, or has to wait.
   *
   * @return whether it has to wait; then {@link #closeOverdue} must be called after {@link
   *     #LONGEST_MILLIS}
   */
  boolean enter(Object address, Channel connection) {
    synchronized (this) {
      Peer peer = peers.computeIfAbsent(address, unseen -> new Peer());
      if (peer.running.size() >= MOST) {
        peer.waiting.add(connection);
        return true;
      }
      peer.running.put(connection, clock.getAsLong());
    }
    starter.accept(connection);
    return false;
  }

  /** Closes handshakes of a peer that have taken too long while others wait, one for each. */
  void closeOverdue(Object address) {
    List<Channel> overdue = new ArrayList<>();
    synchronized (this) {
      Peer peer = peers.get(address);
      if (peer == null) {
        return;
      }
      long now = clock.getAsLong();
      for (Map.Entry<Channel, Long> one : peer.running.entrySet()) {
        if (now - one.getValue() < LONGEST_MILLIS || overdue.size() == peer.waiting.size()) {
          break; // the oldest come first
        }
        overdue.add(one.getKey());
      }
    }
    overdue.forEach(closer); // and the end of each begins the next
  }

  /** No handshake begins any more; returns the connections that still wait for theirs. */
  synchronized List<Channel> close() {
    closed = true;
    List<Channel> left = new ArrayList<>();
    for (Peer peer : peers.values()) {
      left.addAll(peer.waiting);
      peer.waiting.clear();
    }
    return left;
  }

  /** Takes a connection out whose handshake has not begun; false if it has begun, or is unknown. */
  synchronized boolean remove(Object address, Channel connection) {
    Peer peer = peers.get(address);
    return peer != null && peer.waiting.remove(connection);
  }

  /** The handshake of a connection is done, or the connection is closed. May be repeated. */
  void leave(Object address, Channel connection) {
    Channel next = null;
    synchronized (this) {
      Peer peer = peers.get(address);
      if (peer == null) {
        return;
      }
      if (peer.running.remove(connection) == null) {
        peer.waiting.remove(connection);
      } else {
        next = closed ? null : peer.waiting.poll();
        if (next != null) {
          peer.running.put(next, clock.getAsLong());
        }
      }
      if (peer.running.isEmpty()) {
        peers.remove(address);
      }
    }
    if (next != null) {
      starter.accept(next);
    }
  }
}
