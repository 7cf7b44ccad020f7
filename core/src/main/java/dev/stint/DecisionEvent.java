package dev.stint;

/**
 * A decision that an application may want to act on.
 *
 * @param kind why
 * @param decision the answer of one limit, whose {@linkplain Limit#name() name} says which
 * @param suppressed how many events of this kind and name there were since the last one that was
 *     told of
 */
public record DecisionEvent(Kind kind, Decision decision, long suppressed) {

  /** Checks that there is something to tell. */
  public DecisionEvent {
    if (kind == null || decision == null) {
      throw new IllegalArgumentException("an event must have a kind and a decision: " + kind);
    }
    if (suppressed < 0) {
      throw new IllegalArgumentException("suppressed must be 0 or more: " + suppressed);
    }
  }

  /** Why a decision is told of. */
  public enum Kind {
    /** It was refused. */
    REFUSED,
    /** It was admitted, and not much is left. */
    NEAR_LIMIT,
    /** It was made without the store, which could not be asked. */
    DEGRADED
  }
}
