package dev.stint.server.config;

import java.util.Map;

/**
 * Who may use the service. There are three cases: clients with tokens; nothing said, and then
 * everybody may ask for decisions but only callers on this machine may change counts; and everybody
 * may do both, which has to be said ({@code clients: everybody}).
 *
 * @param byName clients by name; empty if no token is asked for
 * @param isEverybody whether it was said that everybody may do everything
 */
public record Clients(Map<String, ClientSettings> byName, boolean isEverybody) {

  public Clients {
    byName = Map.copyOf(byName);
    if (isEverybody && !byName.isEmpty()) {
      throw new IllegalArgumentException("clients must be everybody or have names, had both");
    }
  }

  /** Nothing is said about clients. */
  public static Clients unspecified() {
    return new Clients(Map.of(), false);
  }

  /** Everybody may ask for decisions and change counts: {@code clients: everybody}. */
  public static Clients everybody() {
    return new Clients(Map.of(), true);
  }

  /** Only these clients, each with its own token. */
  public static Clients of(Map<String, ClientSettings> byName) {
    if (byName.isEmpty()) {
      throw new IllegalArgumentException("clients must have at least one client");
    }
    return new Clients(byName, false);
  }

  /** Whether a client has to send a token. */
  public boolean needToken() {
    return !byName.isEmpty();
  }
}
