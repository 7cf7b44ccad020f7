package dev.stint.http;

import dev.stint.Decision;
import dev.stint.Key;
import java.util.ArrayList;
import java.util.List;

/** What one rule charges one request: so many units, to the account of a key. */
record Charge(RuleInForce rule, Key key, long cost) {

  /** The answer, policy by policy. */
  List<Part> parts(Decision answer) {
    List<Policy> policies = rule.policies();
    if (policies.size() == 1) {
      return List.of(new Part(rule, policies.get(0), key, answer));
    }
    List<Decision> each = answer.limits();
    List<Part> parts = new ArrayList<>(policies.size());
    for (int i = 0; i < policies.size(); i++) {
      parts.add(new Part(rule, policies.get(i), key, each.get(i)));
    }
    return parts;
  }
}
