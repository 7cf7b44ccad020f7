package dev.stint.http;

import dev.stint.Decision;
import dev.stint.Key;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One policy's own decision about a request. */
record Part(RuleInForce rule, Policy policy, Key key, Decision decision) {

  /** Whether clients are told of it: a rule that only watches keeps that to itself. */
  boolean isSeen() {
    return !rule.rule().isShadow();
  }

  boolean refuses() {
    return isSeen() && !decision.allowed();
  }

  /** Whether it refuses for want of a store; a cost that never fits needs none to be refused. */
  boolean isUncounted() {
    return decision.uncounted() && !decision.allowed() && !decision.neverFits();
  }

  /** Whether headers tell of it: there is something to tell, and a form to tell it in. */
  boolean isTold() {
    return isSeen() && rule.format() != HeaderFormat.NONE;
  }

  /** Whether it is of the same rule as {@code other}, seen, and about the limit as configured. */
  boolean isPlainlyOf(RuleInForce other) {
    return rule == other && isSeen() && decision.limit().equals(policy.limit());
  }

  /**
   * The part that speaks for all: of a refusal the one with the longest wait, otherwise the one
   * with least left; null if clients see none.
   */
  static @Nullable Part deciding(List<Part> parts) {
    if (parts.size() == 1) {
      return parts.get(0).isSeen() ? parts.get(0) : null;
    }
    boolean refused = false;
    Part longest = null;
    Part tightest = null;
    for (Part part : parts) {
      if (!part.isSeen()) {
        continue;
      }
      refused |= part.refuses();
      // A part that had room may be the longest: if it counts denied hits, it was charged for this.
      if (longest == null || part.waitsLongerThan(longest)) {
        longest = part;
      }
      if (tightest == null || part.decision.remaining() < tightest.decision.remaining()) {
        tightest = part;
      }
    }
    return refused ? longest : tightest;
  }

  private boolean waitsLongerThan(Part other) {
    return decision.retryAfter().compareTo(other.decision.retryAfter()) > 0;
  }
}
