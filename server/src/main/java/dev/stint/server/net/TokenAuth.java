package dev.stint.server.net;

import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Knows clients by their tokens, on every wire. What a request may do is then the {@link Caller}'s
 * to say.
 */
public final class TokenAuth {

  private static final String BEARER = "Bearer ";

  private volatile Callers callers;

  /** Knows these clients. */
  public TokenAuth(Clients clients) {
    this.callers = Callers.of(clients);
  }

  /** Knows other clients from now on. */
  public void reload(Clients others) {
    callers = Callers.of(others);
  }

  /** Whether a client has to send a token. */
  public boolean needsToken() {
    return callers.needsToken();
  }

  /** The sender of a request with this {@code Authorization} header. */
  public Caller caller(@Nullable String authorization) {
    Callers now = callers;
    if (!now.needsToken()
        || authorization == null
        || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return now.withoutToken();
    }
    return now.find(Secret.of(authorization.substring(BEARER.length()).strip()));
  }

  /** A connection that has not logged in. */
  public Login anonymous() {
    return new Login(null);
  }

  /** A connection that has sent this token. */
  public Login login(String token) {
    return new Login(Secret.of(token));
  }

  /**
   * A token that was sent once for all requests of a connection. It is worth what it is worth now:
   * a reload may take the client or its permissions away.
   */
  public final class Login {

    private final @Nullable Secret token;
    private @Nullable Callers seen;
    private Caller caller = Caller.UNKNOWN;

    private Login(@Nullable Secret token) {
      this.token = token;
    }

    /** Who sends the connection's requests. */
    @SuppressWarnings(
        "ReferenceEquality") // a reload makes a new set, and then it is looked up again
    public Caller caller() {
      Callers now = callers;
      if (now != seen) {
        caller = token == null || !now.needsToken() ? now.withoutToken() : now.find(token);
        seen = now;
      }
      return caller;
    }
  }

  /**
   * Everybody there is.
   *
   * @param withoutToken who sends no token
   */
  private record Callers(List<Known> known, Caller withoutToken) {

    private record Known(Secret token, Caller caller) {}

    static Callers of(Clients clients) {
      List<Known> known = new ArrayList<>();
      for (Map.Entry<String, ClientSettings> client : clients.byName().entrySet()) {
        ClientSettings settings = client.getValue();
        known.add(new Known(settings.token(), Caller.client(client.getKey(), settings.may())));
      }
      return new Callers(
          List.copyOf(known),
          clients.needToken()
              ? Caller.UNKNOWN
              : clients.isEverybody() ? Caller.ANYBODY : Caller.UNSPECIFIED);
    }

    boolean needsToken() {
      return !known.isEmpty();
    }

    Caller find(Secret token) {
      Caller found = Caller.UNKNOWN;
      for (Known one : known) {
        if (one.token.equals(token)) { // no early exit: how long it takes tells nothing
          found = one.caller;
        }
      }
      return found;
    }
  }
}
