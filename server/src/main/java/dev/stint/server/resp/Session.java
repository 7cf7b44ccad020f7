package dev.stint.server.resp;

import dev.stint.server.net.Gate;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What a client said of itself. */
final class Session {

  private static final AtomicLong LAST = new AtomicLong();

  private final long id = LAST.incrementAndGet();
  private int protocol = 2;
  private Gate.@Nullable Pass pass;
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

  /** Whether it has shown a token that is still good. */
  boolean isKnown() {
    return pass != null && pass.isGood();
  }

  void know(Gate.Pass shown) {
    pass = shown;
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
    pass = null;
    name = "";
  }
}
