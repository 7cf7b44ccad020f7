package dev.stint.http;

import java.util.ArrayList;
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
  private @Nullable String key;
  private boolean ambiguous;

  /** The method, in capitals. */
  public abstract String method();

  /** The path as the client wrote it, still encoded, from the application's root on. */
  public abstract String path();

  /**
   * The same path as the server itself has decoded and resolved it to find the handler; null if it
   * does not say. It is one more reading of a path that can be read in several ways.
   */
  protected @Nullable String decodedPath() {
    return null;
  }

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

  /**
   * The template of the handler that the framework has found, such as {@code /orders/{id}}; null if
   * it has found none, or does not say.
   */
  protected @Nullable String template() {
    return null;
  }

  /**
   * Whether the framework may route even an ordinary path in a way that patterns of rules do not
   * know, so that rules must look at the {@link #template} as they do for odd paths.
   */
  protected boolean hasOwnRouting() {
    return false;
  }

  /**
   * A header's value; null if there is none, if it is empty, or if it comes in more than one line:
   * the client could choose which one is read. {@link #headers} has them all.
   */
  public final @Nullable String header(String name) {
    return only(headers(name));
  }

  /** The token of {@code Authorization: Bearer …}; null if there is none, or several lines. */
  public final @Nullable String bearerToken() {
    String value = header("Authorization");
    return value == null ? null : Fields.bearerToken(value);
  }

  List<String> bearerTokens() {
    List<String> tokens = new ArrayList<>(1);
    for (String line : headers("Authorization")) {
      String token = Fields.bearerToken(line);
      if (token != null) {
        tokens.add(token);
      }
    }
    return tokens;
  }

  /** A cookie's value; null if there is none, if it is empty, or if it comes more than once. */
  public final @Nullable String cookie(String name) {
    return only(cookies(name));
  }

  List<String> cookies(String name) {
    List<String> values = new ArrayList<>(1);
    for (String line : headers("Cookie")) {
      Fields.cookies(line, name, values);
    }
    return values;
  }

  /**
   * A query parameter's value, decoded; null if there is none, if it is empty, or if it comes more
   * than once.
   */
  public final @Nullable String parameter(String name) {
    return only(parameters(name));
  }

  List<String> parameters(String name) {
    String query = query();
    return query == null ? List.of() : Fields.parameters(query, name);
  }

  /** The only value; none of several, which is noted. */
  private @Nullable String only(List<String> values) {
    if (values.size() > 1) {
      ambiguous = true;
    }
    return values.size() == 1 ? present(values.get(0)) : null;
  }

  /** Whether something was read since {@link #readAgain} that the request has several of. */
  final boolean isAmbiguous() {
    return ambiguous;
  }

  /** Forgets whether something was ambiguous, before the next key is read. */
  final void readAgain() {
    ambiguous = false;
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
   * The template of the handler that answers the request; where the framework has none, the pattern
   * by which the rule matched. Never a path that clients could vary at will.
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

  /**
   * What the rule at hand counts the request for, such as an address or a token: for functions of
   * the rule, which must read it before they return. Null if the request has no such key; with the
   * kinds in front if the rule counts by several sources.
   */
  public final @Nullable String key() {
    return key;
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

  /** Takes note of what the rule at hand counts for. */
  final void countedFor(@Nullable String key) {
    this.key = key;
  }

  private static @Nullable String present(@Nullable String value) {
    return value == null || value.isEmpty() ? null : value;
  }
}
