package dev.stint.server.resp;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Policy;
import org.jspecify.annotations.Nullable;

/** What a decision says, in plain numbers, to be used again for the next one. */
final class Numbers {

  private final Outcome outcome = new Outcome();
  private final State scratch = new State();

  boolean allowed;
  boolean degraded;
  long amount;
  long remaining;

  /** In microseconds; {@link Algorithm#NEVER} if the cost never fits. */
  long wait;

  /** In microseconds; {@link Algorithm#NEVER} for a quota that was touched. */
  long reset;

  /**
   * The answer of an engine that is local.
   *
   * @param limit null to ask the limits of the policy
   */
  Numbers ask(
      Engine engine,
      Operation operation,
      Policy policy,
      @Nullable Limit limit,
      Key key,
      long cost) {
    Limit deciding = engine.ask(operation, policy, limit, key, cost, outcome, scratch);
    return of(deciding, outcome.allowed, false);
  }

  /** The numbers of this decision. */
  Numbers of(Decision decision) {
    decision.describe(outcome, scratch);
    return of(decision.limit(), decision.allowed(), decision.degraded());
  }

  private Numbers of(Limit deciding, boolean isAllowed, boolean isDegraded) {
    allowed = isAllowed;
    degraded = isDegraded;
    amount = deciding.amount();
    remaining = outcome.remaining;
    wait = outcome.wait;
    reset = outcome.resetAt >= Algorithm.NEVER ? Algorithm.NEVER : outcome.resetAt - outcome.now;
    return this;
  }
}
