package dev.stint.http;

import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A rule within its limiter: with its store, its policies and its form of headers. */
final class RuleInForce {

  /** No source finds this text: it has no kind in front. */
  private static final String NOBODY = "nobody";

  private final Rule rule;
  private final Store store;
  private final HeaderFormat format;
  private final List<Policy> policies;
  private final List<Route> routes;
  private final String policyField;
  private final RateLimiter limiter;

  private RuleInForce(
      Rule rule, Store store, HeaderFormat format, List<Policy> policies, Limit... prepared) {
    this.rule = rule;
    this.store = rule.store() == null ? store : rule.store();
    this.format = rule.headers() == null ? format : rule.headers();
    this.policies = policies;
    this.routes = rule.routeList();
    this.policyField = policies.stream().map(Policy::field).collect(Collectors.joining(", "));
    this.limiter = RateLimiter.of(this.store, prepared);
  }

  /** A rule whose limits are prepared in its store, to be asked through {@link #limiter}. */
  static RuleInForce prepared(Rule rule, Store store, HeaderFormat format) {
    List<Policy> policies = Policy.of(rule);
    Limit[] limits = policies.stream().map(Policy::limit).toArray(Limit[]::new);
    return new RuleInForce(rule, store, format, policies, limits);
  }

  /** A rule that others ask, whose limits may have come with a request: none is prepared. */
  static RuleInForce unprepared(
      Rule rule, Store store, HeaderFormat format, List<Policy> policies) {
    return new RuleInForce(rule, store, format, policies);
  }

  /** Refuses rules that count in one place by different limits: only one of them would be asked. */
  static void checkBudgets(List<RuleInForce> rules) {
    for (RuleInForce rule : rules) {
      for (RuleInForce other : rules) {
        if (rule.store == other.store) {
          rule.checkBudgets(other);
        }
      }
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

  boolean looksAtPath() {
    return !routes.isEmpty();
  }

  /** The pattern by which this rule is for the request; null if it is not. */
  @Nullable String matching(Request request, @Nullable Path path) {
    if (path == null || routes.isEmpty()) {
      return routes.isEmpty() ? Route.EVERYTHING : null;
    }
    for (Route route : routes) {
      if (route.matches(request.method(), path)) {
        return route.pattern();
      }
    }
    return null;
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
