package dev.stint.server.config;

import org.jspecify.annotations.Nullable;

/**
 * One port.
 *
 * @param port 0 for a free one, {@link #OFF} for none
 * @param tls null for plain text
 * @param token what the administration asks for; null if nothing is needed
 */
public record Listener(String host, int port, @Nullable Tls tls, @Nullable Secret token) {

  /** The port of a listener that is switched off. */
  public static final int OFF = -1;

  /** A port on every address, in plain text. */
  public static Listener on(int port) {
    return on("0.0.0.0", port);
  }

  /** A port on one address, in plain text. */
  public static Listener on(String host, int port) {
    return new Listener(host, port, null, null);
  }

  /** The same on another port. */
  public Listener port(int other) {
    return new Listener(host, other, tls, token);
  }

  /** The same on another address. */
  public Listener host(String other) {
    return new Listener(other, port, tls, token);
  }

  /** The same, encrypted. */
  public Listener tls(@Nullable Tls other) {
    return new Listener(host, port, other, token);
  }

  /** The same, asking for a token. */
  public Listener token(@Nullable Secret other) {
    return new Listener(host, port, tls, other);
  }

  /** Whether it listens at all. */
  public boolean isOn() {
    return port != OFF;
  }

  /** Whether only this machine can reach it, or only those whom it knows. */
  boolean isGuarded() {
    return isLoopback() || token != null || (tls != null && tls.clientCa() != null);
  }

  private boolean isLoopback() {
    return host.equals("localhost") || host.equals("::1") || host.matches("127(\\.\\d{1,3}){3}");
  }

  /** Whether both cannot be listened on at once. */
  boolean collidesWith(Listener other) {
    boolean sameHost = host.equals(other.host) || isEverywhere() || other.isEverywhere();
    return port > 0 && port == other.port && sameHost;
  }

  private boolean isEverywhere() {
    return host.equals("0.0.0.0") || host.equals("::");
  }
}
