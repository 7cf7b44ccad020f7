package dev.stint.http;

import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The rules of a limiter in their order: which of them are for a request, and for which key. */
final class RuleList {

  private final List<RuleInForce> rules;
  private final List<Predicate<PathReading>> exempt;
  private final boolean looksAtPath;
  private final boolean countsByRoute;

  /**
   * Rules that agree with each other.
   *
   * @param exempt paths that rules without a pattern are not for
   */
  RuleList(List<RuleInForce> rules, List<Predicate<PathReading>> exempt) {
    RuleInForce.checkBudgets(rules);
    this.rules = rules;
    this.exempt = exempt;
    this.looksAtPath = !exempt.isEmpty() || rules.stream().anyMatch(RuleInForce::looksAtPath);
    this.countsByRoute = rules.stream().anyMatch(rule -> rule.rule().source().needsRoute());
  }

  /**
   * Adds what the rules charge a request.
   *
   * @return the rule that refuses the request, because it lacks the key; null if none does
   */
  @Nullable Rule charge(Request request, RequestCharges charges) {
    Path path = looksAtPath ? Path.of(request) : null;
    boolean isExempt = path != null && isExempt(path);
    for (RuleInForce rule : rules) {
      String pattern = rule.matching(request, path);
      if (pattern == null || (isExempt && !rule.looksAtPath())) {
        continue;
      }
      request.matchedBy(pattern);
      request.readAgain();
      KeySource source = rule.rule().source();
      String text = source.text(request);
      boolean ambiguous = request.isAmbiguous();
      request.countedFor(text == null ? null : source.valueOf(text));
      if (!rule.appliesTo(request)) {
        continue;
      }
      MissingKey missing = rule.rule().missingKey();
      if (text == null && missing == MissingKey.DENY) {
        if (!rule.rule().isShadow()) {
          return rule.rule();
        }
      } else if (text != null || missing != MissingKey.SKIP || ambiguous) {
        // A key that is there twice is missing, but no request escapes a rule by sending it twice.
        charges.add(rule, text, request);
      }
    }
    return null;
  }

  private boolean isExempt(Path path) {
    for (int i = 0; i < exempt.size(); i++) {
      if (path.allMatch(exempt.get(i))) {
        return true;
      }
    }
    return false;
  }

  boolean isEmpty() {
    return rules.isEmpty();
  }

  /** Whether the request's template may matter to a rule. */
  boolean needsTemplate(Request request) {
    return countsByRoute
        || (looksAtPath && (request.hasOwnRouting() || !Path.isPlain(request.path())));
  }

  boolean needsAddress() {
    return rules.stream().anyMatch(rule -> rule.rule().source().needsAddress());
  }

  List<Rule> rules() {
    return rules.stream().map(RuleInForce::rule).toList();
  }

  /** The rule of this name, whose limits must not depend on the request. */
  RuleInForce findWithLimits(String name) {
    RuleInForce rule = find(name);
    if (rule.rule().lookup() != null) {
      throw new IllegalArgumentException(
          "the limits of rule "
              + name
              + " depend on the request: give those that are meant, such as 100/minute");
    }
    return rule;
  }

  RuleInForce find(String name) {
    for (RuleInForce rule : rules) {
      if (rule.rule().name().equals(name)) {
        return rule;
      }
    }
    throw new IllegalArgumentException(
        "the name of a rule must be one of "
            + new TreeSet<>(rules.stream().map(rule -> rule.rule().name()).toList())
            + ": "
            + name);
  }
}
