package dev.stint.http;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.Limit;
import dev.stint.Store;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells what was decided by a rule's limits as a filter would, for a server that finds keys and
 * asks its store by itself.
 *
 * <pre>{@code
 * RuleAnswers api = RuleAnswers.of(Rule.of("api", "100/minute; 5000/day"), HeaderFormat.IETF, store);
 * RateLimiter limiter = RateLimiter.of(store, api.limits().toArray(Limit[]::new));
 * Answer answer = api.answer(key, limiter.hit(key));
 * }</pre>
 */
public final class RuleAnswers {

  private final RuleInForce rule;
  private final Headers headers;
  private final List<Limit> limits;

  private RuleAnswers(RuleInForce rule, Headers headers) {
    this.rule = rule;
    this.headers = headers;
    this.limits = rule.policies().stream().map(Policy::limit).toList();
  }

  /**
   * Answers by {@code rule}; of the store only the time is asked. The limits are not {@linkplain
   * Store#prepare prepared}, because they may have come with a request; a limiter made with them
   * does that.
   */
  public static RuleAnswers of(Rule rule, HeaderFormat format, Store store) {
    return of(rule, rule.name(), format, store);
  }

  /** The same, counting in another keyspace than the name that clients see. */
  public static RuleAnswers of(Rule rule, String keyspace, HeaderFormat format, Store store) {
    return new RuleAnswers(
        RuleInForce.unprepared(rule, store, format, Policy.of(rule, keyspace)),
        new Headers(store.time(), false, false));
  }

  /** The limits to be asked, in their keyspace and in the rule's order. */
  public List<Limit> limits() {
    return limits;
  }

  /** The names of the limits as clients see them, in the same order. */
  public List<String> names() {
    return rule.policies().stream().map(Policy::name).toList();
  }

  /** The decision of all {@link #limits} as headers and, if it is a no, a refusal. */
  public Answer answer(Key key, Decision decision) {
    List<Part> parts = new Charge(rule, key, 1).parts(decision);
    if (decision.allowed()) {
      return Answer.of(parts, headers, null, null);
    }
    List<String> violated = new ArrayList<>(1);
    for (Part part : parts) {
      if (part.refuses()) {
        violated.add(part.policy().name());
      }
    }
    return Answer.of(
        parts,
        headers,
        null,
        Problem.quotaExceeded(violated, headers.retryAfter(Part.deciding(parts))));
  }
}
