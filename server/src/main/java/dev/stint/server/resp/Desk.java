package dev.stint.server.resp;

import dev.stint.server.config.Bounds;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.Connections;
import dev.stint.server.net.TokenAuth;
import dev.stint.server.net.WireCounters;

/** What all connections of one event loop share: they are served one at a time. */
final class Desk {

  private static final int ROOM_BESIDE_KEYS = 4 << 10;

  private final TokenAuth auth;
  private final Bounds bounds;
  private final Frame frame;
  private final Reply reply = new Reply();
  private final Commands commands;
  private final WireCounters counters;
  private byte[] inbox = new byte[64 << 10];

  Desk(Engine engine, Bounds bounds, TokenAuth auth, Connections connections) {
    this.auth = auth;
    this.bounds = bounds;
    // Nothing but a key, or a word to be echoed, is ever long: what a connection may make us keep
    // is little.
    this.frame = new Frame(Math.min(bounds.body(), 2 * bounds.key() + ROOM_BESIDE_KEYS));
    this.counters = connections.counters();
    this.commands = new Commands(engine, bounds, auth, connections);
  }

  /** A client that has just come. */
  Session session(boolean isLocal) {
    return new Session(auth.anonymous(), isLocal);
  }

  WireCounters counters() {
    return counters;
  }

  Bounds bounds() {
    return bounds;
  }

  Frame frame() {
    return frame;
  }

  Reply reply() {
    return reply;
  }

  Commands commands() {
    return commands;
  }

  /** Room for what was received, until the next who asks for it. */
  byte[] inbox(int size) {
    if (inbox.length < size) {
      inbox = new byte[size];
    }
    return inbox;
  }
}
