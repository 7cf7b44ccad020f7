package dev.stint.server.net;

import dev.stint.server.config.Clients;
import dev.stint.server.config.Secret;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Who may ask: everybody, or those who know a token. */
public final class Gate {

  private static final String BEARER = "Bearer ";

  private volatile Map<String, Secret> clients;

  /** A gate for these clients; for everybody if there are none. */
  public Gate(Clients clients) {
    this(tokens(clients));
  }

  /** A gate for these tokens; for everybody if there are none. */
  public Gate(Map<String, Secret> clients) {
    this.clients = clients;
  }

  /** Lets other clients in from now on. */
  public void reload(Clients others) {
    clients = tokens(others);
  }

  private static Map<String, Secret> tokens(Clients clients) {
    return clients.byName().entrySet().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, one -> one.getValue().token()));
  }

  /** Whether everybody may ask. */
  public boolean isOpen() {
    return clients.isEmpty();
  }

  /** Whether this {@code Authorization} opens the gate. */
  public boolean admitsHeader(@Nullable String authorization) {
    return isOpen()
        || (authorization != null
            && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
            && clientOf(authorization.substring(BEARER.length()).strip()) != null);
  }

  /** The name of the client with this token; null if there is none. */
  public @Nullable String clientOf(String token) {
    String found = null;
    Secret given = Secret.of(token);
    for (Map.Entry<String, Secret> client : clients.entrySet()) {
      if (client.getValue().equals(given)) { // goes through all: time tells nothing
        found = client.getKey();
      }
    }
    return found;
  }

  /** What somebody who showed this token keeps to be known by. */
  public Pass pass(String token) {
    return new Pass(Secret.of(token));
  }

  /** That somebody has shown a token: good for as long as it is a client's. */
  public final class Pass {

    private final Secret token;
    private @Nullable Map<String, Secret> seenBy;
    private boolean good;

    private Pass(Secret token) {
      this.token = token;
    }

    /** Whether it is still good; also once the clients are others. */
    public boolean isGood() {
      Map<String, Secret> now = clients;
      if (now != seenBy) {
        good = now.containsValue(token);
        seenBy = now;
      }
      return good;
    }
  }
}
