package dev.stint.http;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are limited, how far, and whom they are counted for.
 *
 * <pre>{@code
 * Rule.of("api", "100/minute")
 * Rule.of("export", "5/minute; 20/day").on("POST", "/exports/**").by(KeySource.bearerToken())
 * }</pre>
 *
 * <p>Without more it is for every request, and counts by the client's address. The name is a
 * keyspace: rules of different names count apart, and rules of the same name share one budget where
 * limit and key are the same, be they in one limiter or in several that share a store. Within a
 * limiter they must not differ in the amount alone, and where several match a request the first of
 * them is charged.
 */
public final class Rule {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

  /** What may be changed; never after the rule that has it is made. */
  private static final class Settings implements Cloneable {
    KeySource source = KeySource.clientAddress();
    List<Route> routes = List.of();
    ToLongFunction<Request> cost = request -> 1;
    boolean shadow;
    MissingKey missing = MissingKey.SHARED;
    @Nullable Store store;
    @Nullable Predicate<Completion> charged;
    @Nullable HeaderFormat headers;
    @Nullable String shown;
    List<Predicate<Request>> conditions = List.of();
    boolean afterAuthentication;
    String limitWords = "by request";

    @Override
    protected Settings clone() {
      try {
        return (Settings) super.clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private final String name;
  private final @Nullable LimitLookup lookup;
  private final List<Limit> limits;
  private final Settings settings;

  /**
   * A rule.
   *
   * @param lookup finds the limits of a request; null if they are always the same
   * @param limits the limits; of a rule with a lookup, those that apply when it fails
   */
  private Rule(String name, @Nullable LimitLookup lookup, List<Limit> limits, Settings settings) {
    this.name = name;
    this.lookup = lookup;
    this.limits = limits;
    this.settings = settings;
  }

  /** A rule with limits from a list such as {@code "100/minute; 5000/day"}. */
  public static Rule of(String name, String limits) {
    return of(name, Limit.parseAll(limits).toArray(Limit[]::new));
  }

  /** A rule with these limits, which are decided together. */
  public static Rule of(String name, Limit... limits) {
    checkName(name);
    if (limits.length == 0) {
      throw new IllegalArgumentException("a rule must have at least one limit: 0");
    }
    Rule rule = new Rule(name, null, List.of(limits), new Settings());
    checkTogether(Policy.of(rule));
    return rule;
  }

  /**
   * A rule whose limit depends on the request, for example on the plan of the caller:
   *
   * <pre>{@code
   * Rule.of("api", request -> plans.of(request.principal()).limit())
   *     .fallback("10/minute")
   *     .by(KeySource.principal())
   * }</pre>
   *
   * <p>The function is asked for every request, so a changed plan has its effect at the next one.
   * What was counted is kept where only the amount has changed. If the function throws or returns
   * null, the {@linkplain #fallback fallback} applies; without one the request is refused with 503.
   *
   * <p>The function runs on the thread that asks. If it has to wait for something, use {@link
   * #ofAsync}.
   */
  public static Rule of(String name, Function<Request, @Nullable Limit> limit) {
    checkFunction(limit);
    return ofAll(
        name,
        request -> {
          Limit found = limit.apply(request);
          return found == null ? null : List.of(found);
        });
  }

  /** As {@link #of(String, Function)}, for several limits, which are decided together. */
  public static Rule ofAll(
      String name, Function<Request, ? extends @Nullable Collection<Limit>> limits) {
    checkFunction(limits);
    return of(name, LimitLookup.atOnce(limits));
  }

  /**
   * As {@link #ofAll}, for a function that does not have the limits at once. The request goes on
   * when the stage ends, without blocking a thread where the filter does not either. The stage
   * should have a timeout of its own ({@code future.orTimeout(…)}): the request waits for it.
   */
  public static Rule ofAsync(
      String name,
      Function<Request, ? extends @Nullable CompletionStage<? extends Collection<Limit>>> limits) {
    checkFunction(limits);
    return of(name, new LimitLookup(limits));
  }

  private static Rule of(String name, LimitLookup lookup) {
    checkName(name);
    return new Rule(name, lookup, List.of(), new Settings());
  }

  private static void checkFunction(@Nullable Object function) {
    if (function == null) {
      throw new IllegalArgumentException("limits of a request must have a function: null");
    }
  }

  /** Refuses limits that cannot be asked together. */
  static void checkTogether(List<Policy> policies) {
    RateLimiter.of(Store.admitting(), policies.stream().map(Policy::limit).toArray(Limit[]::new));
  }

  /**
   * This rule, whose limits depend on the request, with limits for requests whose own cannot be
   * found.
   */
  public Rule fallback(String limits) {
    return fallback(Limit.parseAll(limits).toArray(Limit[]::new));
  }

  /** As {@link #fallback(String)}. */
  public Rule fallback(Limit... limits) {
    if (lookup == null) {
      throw new IllegalArgumentException(
          "a fallback is for limits that depend on the request: rule " + name);
    }
    Rule rule = new Rule(name, lookup, List.of(limits), settings);
    checkTogether(Policy.of(rule));
    return rule;
  }

  /**
   * This rule, only for requests for which {@code condition} holds. Several conditions must all
   * hold. One that throws counts as if it held, so that no client can get out of a rule by making
   * it fail.
   */
  public Rule when(Predicate<Request> condition) {
    if (condition == null) {
      throw new IllegalArgumentException("a condition on the request must have a function: null");
    }
    List<Predicate<Request>> conditions = new ArrayList<>(settings.conditions);
    conditions.add(condition);
    return with(s -> s.conditions = List.copyOf(conditions));
  }

  /** This rule, not for requests for which {@code condition} holds; see {@link #when}. */
  public Rule unless(Predicate<Request> condition) {
    if (condition == null) {
      throw new IllegalArgumentException("a condition on the request must have a function: null");
    }
    return when(request -> !condition.test(request));
  }

  /**
   * This rule, asked after authentication because of what its functions look at. Rules by principal
   * are anyway.
   */
  public Rule afterAuthentication() {
    return with(s -> s.afterAuthentication = true);
  }

  private static void checkName(String name) {
    if (name == null || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a rule must be 1 to 64 letters, digits, '_', '.' or '-': " + name);
    }
  }

  /** This rule, counting for whomever {@code source} finds. */
  public Rule by(KeySource source) {
    if (source == null) {
      throw new IllegalArgumentException("the key source of a rule must not be null: " + name);
    }
    return with(s -> s.source = source);
  }

  /** This rule, counting for whomever {@code find} answers; null where there is no key. */
  public Rule by(Function<Request, @Nullable String> find) {
    return by(KeySource.of(find));
  }

  /**
   * This rule for these paths too, such as {@code /orders/{id}} or {@code /api/**}. Patterns are
   * read when a limiter is built, in its {@linkplain HttpLimiter.Builder#patterns syntax}.
   */
  public Rule on(String pattern) {
    return on(new Route(null, pattern));
  }

  /** This rule for these paths too, but for one method only. GET includes HEAD. */
  public Rule on(String method, String pattern) {
    return on(new Route(method, pattern));
  }

  private Rule on(Route route) {
    List<Route> routes = new ArrayList<>(settings.routes);
    routes.add(route);
    return with(s -> s.routes = List.copyOf(routes));
  }

  /** This rule, charging so many units for each request. */
  public Rule cost(long cost) {
    if (cost < 1) {
      throw new IllegalArgumentException("cost must be at least 1: " + cost);
    }
    return cost(request -> cost);
  }

  /**
   * This rule, charging what {@code cost} makes of the request. Zero is free: the rule does not
   * apply. Less than zero counts as one, since a request must not pass by lying about its size.
   */
  public Rule cost(ToLongFunction<Request> cost) {
    if (cost == null) {
      throw new IllegalArgumentException("a computed cost must have a function: null");
    }
    return with(s -> s.cost = cost);
  }

  /** This rule, only watching: it decides, is counted and reported, and never refuses. */
  public Rule shadow() {
    return with(s -> s.shadow = true);
  }

  /** This rule with another meaning of a missing key; {@link MissingKey#SHARED} if not given. */
  public Rule missingKey(MissingKey missing) {
    return with(s -> s.missing = missing);
  }

  /**
   * This rule, counting in a store of its own, or in the limiter's store with another fallback:
   * {@code rule.in(redis.orElse(Store.denying()))}. Rules in different stores are asked one after
   * the other, and what was taken is given back if a later one refuses.
   */
  public Rule in(Store store) {
    return with(s -> s.store = store);
  }

  /**
   * This rule, charging only for responses with such a status: {@code onlyIf(status -> status ==
   * 401)} counts failed logins.
   *
   * <p>The units are held while the request is handled, and given back when its response has
   * another status. So no number of parallel guesses gets beyond the limit.
   */
  public Rule onlyIf(IntPredicate status) {
    if (status == null) {
      throw new IllegalArgumentException("a condition on the status must have a function: null");
    }
    return chargeIf(completion -> status.test(completion.status()));
  }

  /**
   * This rule, charging only for requests that end so, as {@link #onlyIf} does for a status: {@code
   * chargeIf(Completion::authenticationFailed)} counts failed logins whatever the response is.
   */
  public Rule chargeIf(Predicate<Completion> completion) {
    if (completion == null) {
      throw new IllegalArgumentException("a condition on the end must have a function: null");
    }
    return with(s -> s.charged = completion);
  }

  /** This rule with another form of headers than the limiter's. */
  public Rule headers(HeaderFormat format) {
    return with(s -> s.headers = format);
  }

  /**
   * This rule under another name where clients see it, in headers and refusals. Counts, metrics and
   * the limiter's methods keep the rule's own.
   */
  public Rule shownAs(String name) {
    checkName(name);
    return with(s -> s.shown = name);
  }

  private Rule with(Consumer<Settings> change) {
    Settings changed = settings.clone();
    change.accept(changed);
    return new Rule(name, lookup, limits, changed);
  }

  /** The name. */
  public String name() {
    return name;
  }

  /**
   * The limits as they were given. Of a rule whose limits depend on the request, its fallback,
   * which is empty if it has none.
   */
  public List<Limit> limits() {
    return limits;
  }

  /** Whether its limits depend on the request. */
  public boolean hasLimitsByRequest() {
    return lookup != null;
  }

  /**
   * Its limits in words: {@code 100/minute}; of limits that depend on the request, what {@link
   * #limitsDescribedAs} says.
   */
  public List<String> limitWords() {
    return lookup == null
        ? limits.stream().map(Limit::toString).toList()
        : List.of(settings.limitWords);
  }

  /** This rule with a description of limits that depend on the request, for logs and endpoints. */
  public Rule limitsDescribedAs(String words) {
    if (words == null || words.isBlank()) {
      throw new IllegalArgumentException("a description must not be blank: " + words);
    }
    return with(s -> s.limitWords = words);
  }

  /** Where the key comes from. */
  public KeySource source() {
    return settings.source;
  }

  /** Whether it only watches. */
  public boolean isShadow() {
    return settings.shadow;
  }

  /** What it is for, in words: {@code GET /orders/{id}}; empty if it is for everything. */
  public List<String> routes() {
    return settings.routes.stream().map(Route::toString).toList();
  }

  @Nullable LimitLookup lookup() {
    return lookup;
  }

  List<Predicate<Request>> conditions() {
    return settings.conditions;
  }

  /** Whether it was said to be asked after authentication, whatever it counts by. */
  boolean needsPrincipal() {
    return settings.afterAuthentication;
  }

  List<Route> routeList() {
    return settings.routes;
  }

  MissingKey missingKey() {
    return settings.missing;
  }

  @Nullable Store store() {
    return settings.store;
  }

  @Nullable Predicate<Completion> charged() {
    return settings.charged;
  }

  /** The name that clients see. */
  String shownName() {
    return settings.shown == null ? name : settings.shown;
  }

  @Nullable HeaderFormat headers() {
    return settings.headers;
  }

  long costOf(Request request) {
    long cost = settings.cost.applyAsLong(request);
    return cost < 0 ? 1 : cost;
  }

  /** The rule in one line, for logs. */
  @Override
  public String toString() {
    return name
        + ": "
        + limitWords()
        + " by "
        + settings.source
        + (settings.shadow ? ", shadow" : "");
  }
}
