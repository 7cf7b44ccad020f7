package dev.stint.http;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes answers of what was decided.
 *
 * @param refuser makes the user's refusal of the standard one; null stands for the standard one
 */
record Answers(Headers headers, UnaryOperator<Refusal> refuser) {

  /** A call that no rule is about. */
  Answer free(@Nullable Answer earlier) {
    return Answer.free(headers, earlier);
  }

  /** A call that may not pass for another reason than a limit. */
  Answer refused(Refusal standard) {
    return Answer.refused(headers, refusal(standard));
  }

  /** A call that was decided. */
  Answer of(RuleEngine.Outcome outcome, @Nullable Answer earlier) {
    if (outcome.allowed()) {
      return Answer.of(outcome.parts(), headers, earlier, null);
    }
    Refusal standard =
        Problem.of(outcome.parts(), headers.retryAfter(Part.deciding(outcome.parts())));
    return Answer.of(outcome.parts(), headers, earlier, refusal(standard));
  }

  private Refusal refusal(Refusal standard) {
    Refusal theirs = refuser.apply(standard);
    return theirs == null ? standard : theirs;
  }
}
