package dev.stint.server.resp;

import java.util.concurrent.atomic.AtomicLong;

/** What a client said of itself. */
final class Session {

  private static final AtomicLong LAST = new AtomicLong();

  private final long id = LAST.incrementAndGet();
  private int protocol = 2;
  private boolean known;
  private String name = "";

  long id() {
    return id;
  }

  int protocol() {
    return protocol;
  }

  /** Whether the client knows maps and nulls. */
  boolean isModern() {
    return protocol == 3;
  }

  void speak(int version) {
    protocol = version;
  }

  /** Whether it has shown a token. */
  boolean isKnown() {
    return known;
  }

  void know() {
    known = true;
  }

  String name() {
    return name;
  }

  void name(String other) {
    name = other;
  }

  /** As if it had just come. */
  void reset() {
    protocol = 2;
    known = false;
    name = "";
  }
}
