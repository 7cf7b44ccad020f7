package dev.stint.server.net;

import dev.stint.server.config.Permission;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sender of a request, and what it may do. */
public final class Caller {

  /** Why a request is refused. */
  public record Denial(boolean isUnknown, String sentence) {}

  private static final Denial NO_TOKEN =
      new Denial(true, "a client must send its token, sent none that is known");

  private static final Denial NOT_LOCAL =
      new Denial(
          false,
          "without clients in stint.yaml, counts must be changed from this machine, and this request"
              + " came from elsewhere or through a proxy; configure a client with"
              + " may: [decide, change], or set clients: everybody");

  /** Has sent no token, or a wrong one, where one is needed. */
  static final Caller UNKNOWN =
      new Caller("", false, Map.of(Permission.DECIDE, NO_TOKEN, Permission.CHANGE, NO_TOKEN));

  /** Somebody, where everybody may do everything. */
  static final Caller ANYBODY = new Caller("", true, Map.of());

  /** Somebody, where nothing is said about clients: counts are changed from this machine only. */
  static final Caller UNSPECIFIED = new Caller("", true, Map.of(Permission.CHANGE, NOT_LOCAL));

  private final String name;
  private final boolean known;
  private final Map<Permission, Denial> denials;

  private Caller(String name, boolean known, Map<Permission, Denial> denials) {
    this.name = name;
    this.known = known;
    this.denials = denials;
  }

  /** A client with a token. */
  static Caller client(String name, Set<Permission> may) {
    Map<Permission, Denial> denials = new EnumMap<>(Permission.class);
    for (Permission missing : EnumSet.complementOf(EnumSet.copyOf(may))) {
      denials.put(missing, new Denial(false, sentence(name, missing)));
    }
    return new Caller(name, true, denials);
  }

  private static String sentence(String name, Permission missing) {
    String what = missing == Permission.CHANGE ? "change counts" : "ask for decisions";
    String word = missing == Permission.CHANGE ? "change" : "decide";
    return "client '"
        + name
        + "' must be allowed to "
        + what
        + ", and is not; add "
        + word
        + " to clients."
        + name
        + ".may in stint.yaml";
  }

  /** The client's name in the configuration; empty if it has none. */
  public String name() {
    return name;
  }

  /** Whether it has sent a client's token, or none is needed. */
  public boolean isKnown() {
    return known;
  }

  /**
   * Why it may not do this; null if it may.
   *
   * @param isLocal whether the request comes from this machine
   */
  public @Nullable Denial denial(Permission wanted, boolean isLocal) {
    Denial denial = denials.get(wanted);
    return NOT_LOCAL.equals(denial) && isLocal ? null : denial;
  }

  /** Why it may not do this with a call over this connection; null if it may. */
  public @Nullable Denial denial(Permission wanted, HttpConnection connection) {
    Denial denial = denials.get(wanted);
    return NOT_LOCAL.equals(denial) && LocalPeer.isLoopback(connection.remoteAddress())
        ? null
        : denial;
  }

  /** Why it may not do this with a request over HTTP; null if it may. */
  public @Nullable Denial denial(Permission wanted, HttpServerRequest request) {
    Denial denial = denials.get(wanted);
    return NOT_LOCAL.equals(denial) && LocalPeer.sent(request) ? null : denial;
  }
}
