package dev.stint.spring;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.http.HttpLimiter;
import dev.stint.http.Rule;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The rules of an application, parted by when they can be asked. A reload replaces them. */
public final class HttpLimiters {

  private final List<Consumer<RulesInForce>> checks = new CopyOnWriteArrayList<>();
  private volatile RulesInForce inForce;

  /**
   * Rules that no reload replaces.
   *
   * @param beforeAuthentication rules that need not know who is authenticated: they also protect
   *     the authentication
   * @param afterAuthentication rules that need to know
   */
  public HttpLimiters(HttpLimiter beforeAuthentication, HttpLimiter afterAuthentication) {
    this(new RulesInForce(beforeAuthentication, afterAuthentication, null));
  }

  HttpLimiters(RulesInForce first) {
    this.inForce = first;
  }

  /** The rules in force now, which belong together. */
  RulesInForce inForce() {
    return inForce;
  }

  /** Refuses rules for which {@code check} throws: those in force now, and all that come later. */
  void check(Consumer<RulesInForce> check) {
    check.accept(inForce);
    checks.add(check);
  }

  /** Puts other rules in force, for requests that come from now on. */
  void replace(RulesInForce next) {
    checks.forEach(check -> check.accept(next));
    inForce = next;
  }

  /** The rules before authentication that are in force now. */
  public HttpLimiter beforeAuthentication() {
    return inForce.beforeAuthentication();
  }

  /** The rules after authentication that are in force now. */
  public HttpLimiter afterAuthentication() {
    return inForce.afterAuthentication();
  }

  /** All rules. */
  public List<Rule> rules() {
    RulesInForce now = inForce;
    return Stream.concat(
            now.beforeAuthentication().rules().stream(), now.afterAuthentication().rules().stream())
        .toList();
  }

  /** See {@link HttpLimiter#peek(String, String)}. */
  public Decision peek(String rule, String key) {
    return with(rule).peek(rule, key);
  }

  /** See {@link HttpLimiter#peek(String, String, List)}. */
  public Decision peek(String rule, String key, List<Limit> limits) {
    return with(rule).peek(rule, key, limits);
  }

  /** See {@link HttpLimiter#reset(String, String)}. */
  public void reset(String rule, String key) {
    with(rule).reset(rule, key);
  }

  /** See {@link HttpLimiter#reset(String, String, List)}. */
  public void reset(String rule, String key, List<Limit> limits) {
    with(rule).reset(rule, key, limits);
  }

  private HttpLimiter with(String name) {
    RulesInForce now = inForce;
    HttpLimiter late = now.afterAuthentication();
    return late.rules().stream().anyMatch(rule -> rule.name().equals(name))
        ? late
        : now.beforeAuthentication();
  }
}
