package dev.stint.server.admin;

import dev.stint.Decision;
import dev.stint.server.engine.Explanation;
import dev.stint.server.engine.Explanation.Rule;
import dev.stint.server.text.Wait;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Says an explanation in one sentence. */
final class Why {

  private Why() {}

  static String of(Explanation explanation) {
    Rule rule = explanation.rule();
    Decision state = explanation.state();
    return switch (rule.kind()) {
      case NONE -> "Allowed: no rule of the domain is for this descriptor.";
      case GRANT ->
          "Allowed: a grant lets this key pass until "
              + moment(rule)
              + ", whatever it uses"
              + (state != null && !state.allowed() ? "; without it, it would be refused." : ".");
      case BLOCK ->
          (explanation.shadow() ? "Would be refused, but the policy only watches: " : "Refused: ")
              + "a block holds for this key until "
              + moment(rule)
              + ", whatever is left of its limits.";
      default -> state == null ? "Allowed." : byLimits(explanation, state);
    };
  }

  private static String moment(Rule rule) {
    return Instant.ofEpochMilli(rule.untilMillis()).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String byLimits(Explanation explanation, Decision state) {
    String start =
        state.allowed()
            ? "Allowed"
            : explanation.shadow() ? "Would be refused, but the policy only watches" : "Refused";
    return start + under(explanation) + ": " + reason(explanation, state) + degraded(state) + ".";
  }

  private static String under(Explanation explanation) {
    Rule rule = explanation.rule();
    return switch (rule.kind()) {
      case EXACT -> " under the override for this key";
      case PREFIX -> " under the override for keys that begin with '" + rule.text() + "'";
      case RLS -> " under the rule " + rule.text();
      default -> "";
    };
  }

  private static String reason(Explanation explanation, Decision state) {
    if (explanation.limits().isEmpty()) {
      return state.allowed() ? "the rule allows everything" : "the rule allows nothing";
    }
    String limit = AdminPages.text(explanation.limits().get(deciding(state)));
    if (state.neverFits()) {
      return "a cost of "
          + explanation.cost()
          + " is more than "
          + limit
          + " can ever hold, which is "
          + state.limit().capacity();
    }
    String used = state.used() + " of " + state.limit().capacity() + " are used under " + limit;
    String more = explanation.cost() + " more ";
    return state.allowed()
        ? used + ", and " + more + (explanation.cost() == 1 ? "fits" : "fit")
        : used
            + "; "
            + more
            + "will fit in "
            + Wait.of(TimeUnit.NANOSECONDS.toMicros(state.retryAfter().toNanos()));
  }

  private static int deciding(Decision state) {
    List<Decision> each = state.limits();
    for (int i = 0; i < each.size(); i++) {
      if (each.get(i).limit().equals(state.limit())) {
        return i;
      }
    }
    return 0;
  }

  private static String degraded(Decision state) {
    return state
        .reason()
        .map(why -> "; the store cannot be asked, so this is the answer without it: " + why)
        .orElse("");
  }
}
