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
import java.util.function.ObjLongConsumer;

/**
 * Lets each peer have only so many TLS handshakes in progress on a listener; its further
 * connections do not get an event loop until one has ended.
 *
 * <p>The first message of a handshake costs a client nothing and the service a millisecond of
 * processor time, and many times that in a process that has just started. A flood of them from one
 * address would delay the handshakes of all others. So only a few of a peer's first messages are
 * answered at a time. A handshake that ends makes room at once, so clients that go on with theirs
 * are not held up.
 */
final class HandshakeQueue {

  /** Handshakes of one peer at a time. */
  static final int MOST = 32;

  /** Handshakes of one peer at a time whose first message is not answered. */
  static final int MOST_FRESH = 4;

  /** A client that has sent nothing for so long does not hold up the next of its peer. */
  static final long FRESH_MILLIS = 20;

  /** A handshake that has taken longer is closed if others of the same peer wait. */
  static final long LONGEST_MILLIS = 3000;

  private final LongSupplier clock;
  private final Consumer<Channel> starter;
  private final Consumer<Channel> closer;
  private final ObjLongConsumer<Object> timer;
  private final Map<Object, Peer> peers = new HashMap<>();
  private boolean closed;

  private static final class Peer {
    /** When each handshake in progress began, the oldest first. */
    private final Map<Channel, Long> running = new LinkedHashMap<>();

    /** Those of them that began a moment ago and whose first message is not answered. */
    private final Map<Channel, Long> fresh = new LinkedHashMap<>();

    private final Queue<Channel> waiting = new ArrayDeque<>();
    private boolean isTimed;
  }

  /**
   * A queue.
   *
   * @param clock milliseconds
   * @param starter begins the handshake of a connection, from any thread
   * @param closer closes a connection, from any thread
   * @param timer calls {@link #proceed} for an address after so many milliseconds
   */
  HandshakeQueue(
      LongSupplier clock,
      Consumer<Channel> starter,
      Consumer<Channel> closer,
      ObjLongConsumer<Object> timer) {
    this.clock = clock;
    this.starter = starter;
    this.closer = closer;
    this.timer = timer;
  }

  /** A connection has come: its handshake begins, or has to wait. */
  void enter(Object address, Channel connection) {
    List<Channel> next;
    synchronized (this) {
      Peer peer = peers.computeIfAbsent(address, unseen -> new Peer());
      peer.waiting.add(connection);
      next = next(address, peer);
    }
    next.forEach(starter);
  }

  /** Takes those out of the queue whose handshakes may begin now. */
  private List<Channel> next(Object address, Peer peer) {
    List<Channel> next = new ArrayList<>();
    long now = clock.getAsLong();
    peer.fresh.values().removeIf(began -> now - began >= FRESH_MILLIS);
    while (!closed
        && peer.running.size() < MOST
        && peer.fresh.size() < MOST_FRESH
        && !peer.waiting.isEmpty()) {
      Channel connection = peer.waiting.remove();
      peer.running.put(connection, now);
      peer.fresh.put(connection, now);
      next.add(connection);
    }
    if (!peer.waiting.isEmpty() && !peer.isTimed) {
      peer.isTimed = true;
      timer.accept(address, pause(peer, now));
    }
    return next;
  }

  /** How long to wait until a handshake is no longer fresh, or has taken too long. */
  private static long pause(Peer peer, long now) {
    if (peer.running.size() < MOST) {
      return FRESH_MILLIS;
    }
    long oldest = peer.running.values().iterator().next();
    return Math.max(FRESH_MILLIS, oldest + LONGEST_MILLIS - now);
  }

  /** Closes handshakes that have taken too long, one for each that waits, and begins others. */
  void proceed(Object address) {
    List<Channel> overdue;
    List<Channel> next;
    synchronized (this) {
      Peer peer = peers.get(address);
      if (peer == null) {
        return;
      }
      peer.isTimed = false;
      overdue = overdue(peer);
      next = next(address, peer);
    }
    next.forEach(starter);
    overdue.forEach(closer); // and the end of each begins the next
  }

  private List<Channel> overdue(Peer peer) {
    List<Channel> overdue = new ArrayList<>();
    long now = clock.getAsLong();
    for (Map.Entry<Channel, Long> one : peer.running.entrySet()) {
      if (now - one.getValue() < LONGEST_MILLIS || overdue.size() == peer.waiting.size()) {
        break; // the oldest come first
      }
      overdue.add(one.getKey());
    }
    return overdue;
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

  /** The first message of a handshake is answered. May be repeated. */
  void answered(Object address, Channel connection) {
    List<Channel> next;
    synchronized (this) {
      Peer peer = peers.get(address);
      if (peer == null || peer.fresh.remove(connection) == null) {
        return;
      }
      next = next(address, peer);
    }
    next.forEach(starter);
  }

  /** The handshake of a connection is done, or the connection is closed. May be repeated. */
  void leave(Object address, Channel connection) {
    List<Channel> next;
    synchronized (this) {
      Peer peer = peers.get(address);
      if (peer == null) {
        return;
      }
      if (peer.running.remove(connection) == null) {
        peer.waiting.remove(connection);
      }
      peer.fresh.remove(connection);
      next = next(address, peer);
      if (peer.running.isEmpty() && peer.waiting.isEmpty()) {
        peers.remove(address);
      }
    }
    next.forEach(starter);
  }
}
