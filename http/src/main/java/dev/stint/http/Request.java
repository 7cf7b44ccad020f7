package dev.stint.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rule can know of a request. Each framework has a thin skin that extends this; everything
 * that needs reading beyond it (cookies, parameters, the client's address) is done here, so that it
 * is done alike everywhere.
 */
public abstract class Request {

  private @Nullable ClientAddresses addresses;
  private @Nullable KeySource tenants;
  private @Nullable IpAddress client;
  private @Nullable String pattern;

  /** The method, in capitals. */
  public abstract String method();

  /** The path as the client wrote it, still encoded, from the application's root on. */
  public abstract String path();

  /** The query as the client wrote it, without the question mark; null if there is none. */
  public abstract @Nullable String query();

  /** All lines of a header, in order; empty if there are none. Case does not matter. */
  public abstract List<String> headers(String name);

  /** The address at the other end of the socket, as text; null if it has none. */
  public abstract @Nullable String peer();

  /** The name of whoever is authenticated; null before that, and for strangers. */
  public @Nullable String principal() {
    return null;
  }

  /** The framework's own template of the route, such as {@code /orders/{id}}; null if unknown. */
  protected @Nullable String template() {
    return null;
  }

  /** A header's value, its lines joined by commas; null if there is none or it is empty. */
  public final @Nullable String header(String name) {
    List<String> lines = headers(name);
    if (lines.isEmpty()) {
      return null;
    }
    return present(lines.size() == 1 ? lines.get(0) : String.join(", ", lines));
  }

  /** The token of {@code Authorization: Bearer …}; null if there is none. */
  public final @Nullable String bearerToken() {
    String value = header("Authorization");
    return value == null ? null : Fields.bearerToken(value);
  }

  /** A cookie's value; null if there is none or it is empty. */
  public final @Nullable String cookie(String name) {
    for (String line : headers("Cookie")) {
      String value = present(Fields.cookie(line, name));
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  /** A query parameter's first value, decoded; null if there is none or it is empty. */
  public final @Nullable String parameter(String name) {
    String query = query();
    return query == null ? null : present(Fields.parameter(query, name));
  }

  /**
   * The client's address: the {@linkplain #peer() peer's}, or what the {@linkplain
   * HttpLimiter.Builder#trustedProxies trusted proxies} say of whom they speak for; null if the
   * peer has no address.
   */
  public final @Nullable IpAddress client() {
    if (client == null) {
      ClientAddresses known = addresses;
      client =
          known == null
              ? IpAddress.parse(String.valueOf(peer()))
              : known.of(peer(), () -> headers("X-Forwarded-For"));
    }
    return client;
  }

  /**
   * The template of the route: the framework's own where it knows one by now, else the pattern by
   * which the rule matched. Never a path that clients could vary at will.
   */
  public final String route() {
    String known = template();
    if (known != null) {
      return known;
    }
    return pattern == null ? Route.EVERYTHING : pattern;
  }

  /** The tenant, as the limiter was told to {@linkplain HttpLimiter.Builder#tenant find} it. */
  public final @Nullable String tenant() {
    return tenants == null ? null : tenants.value(this);
  }

  /** Takes note of how the limiter that is asked reads addresses and tenants. */
  final void readBy(ClientAddresses addresses, @Nullable KeySource tenants) {
    if (this.addresses != addresses) {
      client = null; // another limiter may trust other proxies
    }
    this.addresses = addresses;
    this.tenants = tenants;
  }

  /** Takes note of the pattern by which the rule at hand matched. */
  final void matchedBy(String pattern) {
    this.pattern = pattern;
  }

  private static @Nullable String present(@Nullable String value) {
    return value == null || value.isEmpty() ? null : value;
  }
}
