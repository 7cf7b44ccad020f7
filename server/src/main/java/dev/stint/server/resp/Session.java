package dev.stint.server.resp;

import dev.stint.server.net.Caller;
import dev.stint.server.net.TokenAuth;
import java.util.concurrent.atomic.AtomicLong;

/** What a client said of itself. */
final class Session {

  private static final AtomicLong LAST = new AtomicLong();

  private final long id = LAST.incrementAndGet();
  private final boolean isLocal;
  private int protocol = 2;
  private TokenAuth.Login login;
  private String name = "";

  /**
   * A client that has said nothing yet.
   *
   * @param isLocal whether it is on this machine
   */
  Session(TokenAuth.Login login, boolean isLocal) {
    this.login = login;
    this.isLocal = isLocal;
  }

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

  boolean isLocal() {
    return isLocal;
  }

  /** Who it is, by the token that it has sent. */
  Caller caller() {
    return login.caller();
  }

  void login(TokenAuth.Login other) {
    login = other;
  }

  String name() {
    return name;
  }

  void name(String other) {
    name = other;
  }

  /** As if it had just come. */
  void reset(TokenAuth.Login anonymous) {
    protocol = 2;
    login = anonymous;
    name = "";
  }
}
