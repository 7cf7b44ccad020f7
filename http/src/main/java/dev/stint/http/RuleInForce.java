package dev.stint.http;

import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A rule within its limiter: with its store, its policies and its form of headers. */
final class RuleInForce {

  private static final int MOST_FOUND = 256;

  /** No source finds this text: it has no kind in front. */
  private static final String NOBODY = "nobody";

  /** A segment that says nothing of the path, so that any pattern could match it. */
  private static final Pattern WILDCARD = Pattern.compile("/\\*{1,2}(/|$)");

  private record CompiledRoute(Route route, Predicate<PathReading> paths) {

    static List<CompiledRoute> of(Rule rule, PatternSyntax syntax) {
      return rule.routeList().stream()
          .map(route -> new CompiledRoute(route, compiled(rule, route, syntax)))
          .toList();
    }

    private static Predicate<PathReading> compiled(Rule rule, Route route, PatternSyntax syntax) {
      try {
        return route.in(syntax);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("rule " + rule.name() + ": " + e.getMessage(), e);
      }
    }
  }

  private final Rule rule;
  private final Store store;
  private final HeaderFormat format;
  private final List<Policy> policies;
  private final List<CompiledRoute> routes;
  private final String policyField;
  private final RateLimiter limiter;
  private final boolean prepared;
  private final FailureLog failures;

  /** This rule with limits that were found for requests: there are as many as there are plans. */
  private final Map<List<Limit>, RuleInForce> found = new ConcurrentHashMap<>();

  private RuleInForce(
      Rule rule,
      Store store,
      HeaderFormat format,
      List<Policy> policies,
      List<CompiledRoute> routes,
      Limit... prepared) {
    this.rule = rule;
    this.store = rule.store() == null ? store : rule.store();
    this.format = rule.headers() == null ? format : rule.headers();
    this.policies = policies;
    this.routes = routes;
    this.policyField = policies.stream().map(Policy::field).collect(Collectors.joining(", "));
    this.limiter = RateLimiter.of(this.store, prepared);
    this.prepared = prepared.length > 0;
    this.failures = new FailureLog(rule.name(), this.store.time());
  }

  /** A rule whose limits are prepared in its store, to be asked through {@link #limiter}. */
  static RuleInForce prepared(Rule rule, Store store, HeaderFormat format, PatternSyntax syntax) {
    List<Policy> policies = Policy.of(rule);
    Limit[] limits = policies.stream().map(Policy::limit).toArray(Limit[]::new);
    List<CompiledRoute> routes = CompiledRoute.of(rule, syntax);
    return new RuleInForce(rule, store, format, policies, routes, limits);
  }

  /**
   * This rule with the limits that were looked up for a request; with its fallback if that failed;
   * null if it has none.
   */
  @Nullable RuleInForce limitedBy(CompletableFuture<List<Limit>> looked) {
    try {
      return limitedBy(looked.join());
    } catch (CompletionException | CancellationException | IllegalArgumentException e) {
      failures.failed(
          "the limits of a request could not be found, "
              + (prepared ? "the fallback applies" : "and there is no fallback"),
          e instanceof CompletionException && e.getCause() != null ? e.getCause() : e);
      return prepared ? this : null;
    }
  }

  /** This rule with other limits, which were given in a call and so are not prepared. */
  RuleInForce limitedBy(List<Limit> limits) {
    RuleInForce known = found.get(limits);
    if (known != null) {
      return known;
    }
    List<Policy> named = Policy.of(rule, rule.name(), limits);
    Rule.checkTogether(named);
    RuleInForce made = new RuleInForce(rule, store, format, named, routes);
    if (found.size() < MOST_FOUND) {
      found.put(limits, made);
    }
    return made;
  }

  /** A rule that others ask, whose limits may have come with a request: none is prepared. */
  static RuleInForce unprepared(
      Rule rule, Store store, HeaderFormat format, List<Policy> policies) {
    return new RuleInForce(rule, store, format, policies, List.of());
  }

  /** Refuses rules that count in one place by different limits: only one of them would be asked. */
  static void checkBudgets(List<RuleInForce> rules) {
    for (RuleInForce rule : rules) {
      for (RuleInForce other : rules) {
        if (rule.store == other.store) {
          rule.checkLookups(other);
          rule.checkBudgets(other);
        }
      }
    }
  }

  private void checkLookups(RuleInForce other) {
    if (this != other && rule.lookup() != null && rule.name().equals(other.rule.name())) {
      throw new IllegalArgumentException(
          "a rule whose limits depend on the request must have a name of its own: " + rule.name());
    }
  }

  private void checkBudgets(RuleInForce other) {
    for (int i = 0; i < policies.size(); i++) {
      Limit mine = policies.get(i).limit();
      for (int j = 0; j < other.policies.size(); j++) {
        Limit theirs = other.policies.get(j).limit();
        if (mine.identity().equals(theirs.identity()) && !mine.equals(theirs)) {
          throw new IllegalArgumentException(
              "rules that share a budget must agree on it: "
                  + mine.name()
                  + " has "
                  + rule.limits().get(i)
                  + " and "
                  + other.rule.limits().get(j)
                  + "; give one of them another name");
        }
      }
    }
  }

  Rule rule() {
    return rule;
  }

  Store store() {
    return store;
  }

  HeaderFormat format() {
    return format;
  }

  List<Policy> policies() {
    return policies;
  }

  /** All policies as the value of {@code RateLimit-Policy}. */
  String policyField() {
    return policyField;
  }

  /** Decides by this rule's own limits, if they are prepared; gives back in any case. */
  RateLimiter limiter() {
    return limiter;
  }

  /** Whether {@link #limiter} can decide by this rule's limits. */
  boolean isPrepared() {
    return prepared;
  }

  /** Whether the rule's conditions hold; one that fails does, so that no request escapes by it. */
  boolean appliesTo(Request request) {
    for (Predicate<Request> condition : rule.conditions()) {
      try {
        if (!condition.test(request)) {
          return false;
        }
      } catch (RuntimeException e) {
        failures.failed("a condition failed, the rule applies", e);
      }
    }
    return true;
  }

  boolean looksAtPath() {
    return !routes.isEmpty();
  }

  /** The pattern by which this rule is for the request; null if it is not. */
  @Nullable String matching(Request request, @Nullable Path path) {
    if (path == null || routes.isEmpty()) {
      return routes.isEmpty() ? Route.EVERYTHING : null;
    }
    for (CompiledRoute route : routes) {
      if (route.route.isFor(request.method())
          && (path.anyMatches(route.paths) || isForHandler(route, request, path))) {
        return route.route.pattern();
      }
    }
    return null;
  }

  /**
   * Whether the pattern is for the handler that the framework has found by ways of its own, as it
   * may for an odd path: then it is the handler's template, or matches that, read as a path.
   */
  private static boolean isForHandler(CompiledRoute route, Request request, Path path) {
    String template = path.isOdd() || request.hasOwnRouting() ? request.template() : null;
    if (template == null || !template.startsWith("/")) {
      return false;
    }
    return template.equals(route.route.pattern())
        || (!WILDCARD.matcher(template).find()
            && route.paths.test(PathReading.ofTemplate(template)));
  }

  /** The key for what the rule's source has found; null is nobody. */
  Key key(@Nullable String text) {
    return StoredKey.of(text == null ? NOBODY : text, store);
  }

  KeyedLimit on(Policy policy, Key key, long cost) {
    KeyedLimit limit = policy.limit().on(key).cost(cost);
    return rule.isShadow() ? limit.shadow() : limit;
  }
}
