package dev.stint.server.http;

import static dev.stint.server.http.JsonBytes.ascii;

import dev.stint.Decision;
import dev.stint.server.engine.Policy;
import java.time.Duration;
import java.util.List;

/**
 * Decisions and states as JSON. What is false, endless or not to be waited for is left out, see
 * {@code openapi.json}.
 */
final class DecisionJson {

  private static final byte[] ALLOWED = ascii("\"allowed\":");
  private static final byte[] POLICY = ascii("\"policy\":");
  private static final byte[] NAME = ascii("\"name\":");
  private static final byte[] LIMIT = ascii("\"limit\":");
  private static final byte[] AMOUNT = ascii(",\"amount\":");
  private static final byte[] USED = ascii(",\"used\":");
  private static final byte[] REMAINING = ascii(",\"remaining\":");
  private static final byte[] RETRY_AFTER = ascii(",\"retryAfter\":");
  private static final byte[] NEVER_FITS = ascii(",\"neverFits\":true");
  private static final byte[] NEXT_AFTER = ascii(",\"nextAfter\":");
  private static final byte[] RESET_AFTER = ascii(",\"resetAfter\":");
  private static final byte[] SHARED = ascii(",\"shared\":true");
  private static final byte[] DEGRADED = ascii(",\"degraded\":true,\"reason\":");
  private static final byte[] SHADOW = ascii(",\"shadow\":true,\"wouldRefuse\":");
  private static final byte[] LIMITS = ascii(",\"limits\":[");

  private final LimitTexts texts = new LimitTexts();

  /** The members of a decision, without braces, so that others can stand beside them. */
  void decision(JsonBytes out, Policy policy, byte[] key, Decision decision) {
    out.raw(ALLOWED).bool(decision.allowed() || policy.isShadow()).raw(',');
    policy(out, policy);
    numbers(out, policy, decision);
    wait(out, decision);
    if (decision.degraded()) {
      out.raw(DEGRADED).text(PublicReason.of(decision.reason().orElse("")));
    }
    if (policy.isShadow()) {
      out.raw(SHADOW).bool(!decision.allowed());
    }
    each(out, policy, key, decision, true);
  }

  /** The members of what is in use, without braces. */
  void state(JsonBytes out, Policy policy, byte[] key, Decision state) {
    policy(out, policy);
    numbers(out, policy, state);
    each(out, policy, key, state, false);
  }

  private static void policy(JsonBytes out, Policy policy) {
    if (isNamed(policy)) {
      out.raw(POLICY).text(policy.name()).raw(',');
    }
  }

  /** Whether it is one of the configuration: only those that came with a request begin so. */
  private static boolean isNamed(Policy policy) {
    return policy.name().charAt(0) != '_';
  }

  private void numbers(JsonBytes out, Policy policy, Decision decision) {
    out.raw(LIMIT).raw(texts.of(decision.limit(), policy.name()));
    out.raw(AMOUNT).number(decision.amount());
    out.raw(USED).number(decision.used());
    out.raw(REMAINING).number(decision.remaining());
    Duration next = decision.nextAfter().orElse(Decision.NEVER);
    if (!next.equals(Decision.NEVER)) {
      out.raw(NEXT_AFTER).seconds(next);
    }
    Duration reset = decision.resetAfter();
    if (!reset.equals(Decision.NEVER)) {
      out.raw(RESET_AFTER).seconds(reset);
    }
    if (decision.shared()) {
      out.raw(SHARED);
    }
  }

  private static void wait(JsonBytes out, Decision decision) {
    if (decision.allowed()) {
      return;
    }
    if (decision.neverFits()) {
      out.raw(NEVER_FITS);
    } else {
      out.raw(RETRY_AFTER).seconds(decision.retryAfter());
    }
  }

  private void each(
      JsonBytes out, Policy policy, byte[] key, Decision decision, boolean isDecision) {
    List<Decision> limits = decision.limits();
    if (limits.size() == 1) {
      return;
    }
    List<String> names = policy.termsFor(key).answers().names();
    for (int i = 0; i < limits.size(); i++) {
      Decision one = limits.get(i);
      if (i == 0) {
        out.raw(LIMITS);
      } else {
        out.raw(',');
      }
      out.raw('{');
      if (isNamed(policy)) {
        out.raw(NAME).text(names.get(i)).raw(',');
      }
      if (isDecision) {
        out.raw(ALLOWED).bool(one.allowed()).raw(',');
      }
      numbers(out, policy, one);
      wait(out, one);
      out.raw('}');
    }
    out.raw(']');
  }
}
