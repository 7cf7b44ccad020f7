package dev.stint.http;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a rule finds whom to count a request for: {@code KeySource.bearerToken()}, {@code
 * KeySource.firstOf(KeySource.header("X-Api-Key"), KeySource.clientAddress())}, or a lambda.
 *
 * <p>The text that it finds begins with the kind of the source ({@code address:203.0.113.9}), so
 * that nobody can send a token that is another's address. It is hashed before it goes to a store.
 */
public final class KeySource {

  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

  private final String words;
  private final String kind;
  private final boolean needsPrincipal;
  private final boolean needsTenant;
  private final Function<Request, @Nullable String> find;
  private final Function<Request, List<String>> findAll;
  private final int v6Prefix;
  private final List<KeySource> parts;

  /** Several sources as one; their texts carry their kinds already. */
  private KeySource(String words, List<KeySource> parts, Function<Request, @Nullable String> find) {
    this(
        words,
        "",
        parts.stream().anyMatch(part -> part.needsPrincipal),
        parts.stream().anyMatch(part -> part.needsTenant),
        find,
        one(find),
        64,
        parts);
  }

  private KeySource(
      String words,
      String kind,
      boolean needsPrincipal,
      boolean needsTenant,
      Function<Request, @Nullable String> find,
      int v6Prefix) {
    this(words, kind, needsPrincipal, needsTenant, find, one(find), v6Prefix, List.of());
  }

  private KeySource(
      String words,
      String kind,
      boolean needsPrincipal,
      boolean needsTenant,
      Function<Request, @Nullable String> find,
      Function<Request, List<String>> findAll,
      int v6Prefix,
      List<KeySource> parts) {
    this.findAll = findAll;
    this.parts = parts;
    this.words = words;
    this.kind = kind;
    this.needsPrincipal = needsPrincipal;
    this.needsTenant = needsTenant;
    this.find = find;
    this.v6Prefix = v6Prefix;
  }

  private static KeySource simple(String words, Function<Request, @Nullable String> find) {
    return new KeySource(words, words, false, false, find, 64);
  }

  /** A source that a request may have several values for; then it has no key. */
  private static KeySource repeatable(
      String words,
      Function<Request, @Nullable String> find,
      Function<Request, List<String>> findAll) {
    return new KeySource(words, words, false, false, find, findAll, 64, List.of());
  }

  private static Function<Request, List<String>> one(Function<Request, @Nullable String> find) {
    return request -> {
      String value = find.apply(request);
      return value == null ? List.of() : List.of(value);
    };
  }

  /** The token of {@code Authorization: Bearer …}; there is no key if there are several lines. */
  public static KeySource bearerToken() {
    return repeatable("bearer", Request::bearerToken, Request::bearerTokens);
  }

  /** The value of a header; there is no key if it comes in more than one line. */
  public static KeySource header(String name) {
    checkToken(name, "header");
    return repeatable(
        "header:" + name.toLowerCase(Locale.ROOT),
        request -> request.header(name),
        request -> request.headers(name));
  }

  /** The value of a cookie; there is no key if it comes more than once. */
  public static KeySource cookie(String name) {
    checkToken(name, "cookie");
    return repeatable(
        "cookie:" + name, request -> request.cookie(name), request -> request.cookies(name));
  }

  /** The value of a query parameter; there is no key if it comes more than once. */
  public static KeySource queryParameter(String name) {
    checkToken(name, "query parameter");
    return repeatable(
        "query:" + name, request -> request.parameter(name), request -> request.parameters(name));
  }

  /** The name of whoever is authenticated. Rules that use it must run after authentication. */
  public static KeySource principal() {
    return new KeySource("principal", "principal", true, false, Request::principal, 64);
  }

  /** The client's address; of an IPv6 address its network, the first 64 bits. */
  public static KeySource clientAddress() {
    return clientAddress(64);
  }

  /** The client's address; of an IPv6 address its first {@code v6Prefix} bits. */
  public static KeySource clientAddress(int v6Prefix) {
    if (v6Prefix < 1 || v6Prefix > 128) {
      throw new IllegalArgumentException(
          "the prefix of IPv6 addresses must be 1 to 128 bits: " + v6Prefix);
    }
    return new KeySource(
        v6Prefix == 64 ? "address" : "address/" + v6Prefix,
        "address",
        false,
        false,
        request -> {
          IpAddress client = request.client();
          return client == null ? null : client.group(v6Prefix);
        },
        v6Prefix);
  }

  /** The template of the route, such as {@code /orders/{id}}. */
  public static KeySource route() {
    return simple("route", Request::route);
  }

  /** The tenant, as the limiter was told to {@linkplain HttpLimiter.Builder#tenant find} it. */
  public static KeySource tenant() {
    return new KeySource("tenant", "tenant", false, true, Request::tenant, 64);
  }

  /** Whatever {@code find} answers; null or an empty string where there is no key. */
  public static KeySource of(Function<Request, @Nullable String> find) {
    return of("custom", find);
  }

  /** As {@link #of(Function)}, under a name, so that two such sources never mean the same key. */
  public static KeySource of(String name, Function<Request, @Nullable String> find) {
    if (name == null || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a key source must be 1 to 64 letters, digits, '_', '.' or '-': " + name);
    }
    if (find == null) {
      throw new IllegalArgumentException("a key source must have a function: null");
    }
    return new KeySource(name, "custom:" + name, false, false, find, 64);
  }

  /**
   * The first of these that finds something. There is none if one of them is {@linkplain
   * Request#header repeated} before that: it must not be dodged by sending it twice.
   */
  public static KeySource firstOf(KeySource... sources) {
    List<KeySource> parts = several(sources);
    boolean someJoin = parts.stream().anyMatch(KeySource::joins);
    return new KeySource(
        Sources.join(parts, " | "),
        parts,
        request -> {
          for (KeySource part : parts) {
            request.readAgain();
            String text = part.text(request);
            if (text != null) {
              // Who sends one key alone must not be able to write what several make together.
              return someJoin && !part.joins() ? Sources.escaped(text) : text;
            }
            if (request.isAmbiguous()) {
              return null;
            }
          }
          return null;
        });
  }

  /** All of these as one key; there is none if one is missing. */
  public static KeySource together(KeySource... sources) {
    List<KeySource> parts = several(sources);
    return new KeySource(
        Sources.join(parts, " + "),
        parts,
        request -> {
          StringBuilder all = new StringBuilder();
          for (KeySource part : parts) {
            String text = part.text(request);
            if (text == null) {
              return null;
            }
            all.append(all.isEmpty() ? "" : " + ").append(Sources.escaped(text));
          }
          return all.toString();
        });
  }

  /**
   * Reads what {@link #toString} writes: {@code address}, {@code bearer}, {@code header:X-Api-Key},
   * {@code cookie:session}, {@code query:key}, {@code principal}, {@code route}, {@code tenant};
   * {@code a | b} for the first of them, {@code a + b} for both together, which binds tighter.
   */
  public static KeySource parse(String words) {
    return Sources.parse(words);
  }

  /** This source, for rules that run after authentication because of what the function looks at. */
  public KeySource afterAuthentication() {
    return new KeySource(words, kind, true, needsTenant, find, findAll, v6Prefix, parts);
  }

  /** Whether it can find something only after authentication. */
  public boolean needsPrincipal() {
    return needsPrincipal;
  }

  /** Whether it counts by route, alone or together with others. */
  boolean needsRoute() {
    return kind.equals("route") || parts.stream().anyMatch(KeySource::needsRoute);
  }

  /**
   * Whether it counts by the client's address, alone or together with others. What a function looks
   * at is not known, so a function never does.
   */
  public boolean needsAddress() {
    return kind.equals("address") || parts.stream().anyMatch(KeySource::needsAddress);
  }

  boolean needsTenant() {
    return needsTenant;
  }

  /** Whether it may find several keys together, so that it writes a plus of a key's own escaped. */
  private boolean joins() {
    return words.contains(" + ");
  }

  /** Whom to count this request for, with the kind of the source in front; null if nobody. */
  public @Nullable String text(Request request) {
    String value = value(request);
    return value == null || kind.isEmpty() ? value : kind + ":" + value;
  }

  /** What {@link #text} was made of: without the kind, unless there are several. */
  String valueOf(String text) {
    return kind.isEmpty() ? text : text.substring(kind.length() + 1);
  }

  /** All texts that the request may be taken to have, with the kind of the source in front. */
  List<String> allTexts(Request request) {
    return findAll.apply(request).stream()
        .filter(value -> !value.isEmpty())
        .map(value -> kind.isEmpty() ? value : kind + ":" + value)
        .toList();
  }

  /** What the texts begin with; empty if this is made of several. */
  String kind() {
    return kind;
  }

  /** What it is made of; empty if it is not. */
  List<KeySource> parts() {
    return parts;
  }

  /**
   * The text of a key that somebody typed. The kind of this source may be left out, unless it is
   * made of several; and any address stands for its network.
   */
  public String textOf(String typed) {
    if (typed == null || typed.isBlank()) {
      throw new IllegalArgumentException("key must not be null or blank: " + typed);
    }
    if (kind.isEmpty()) {
      return typed;
    }
    String value = typed.startsWith(kind + ":") ? typed.substring(kind.length() + 1) : typed;
    IpAddress address = kind.equals("address") ? IpAddress.parse(value) : null;
    return kind + ":" + (address == null ? value : address.group(v6Prefix));
  }

  @Nullable String value(Request request) {
    String value = find.apply(request);
    return value == null || value.isEmpty() ? null : value;
  }

  private static List<KeySource> several(KeySource... sources) {
    if (sources.length < 2) {
      throw new IllegalArgumentException(
          "a composed key source must have at least 2 sources: " + sources.length);
    }
    return List.of(sources);
  }

  private static void checkToken(String name, String what) {
    if (name == null || !TOKEN.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a " + what + " must be letters, digits and hyphens: " + name);
    }
  }

  /** The words that {@link #parse} reads; of a function the name it was given. */
  @Override
  public String toString() {
    return words;
  }
}
