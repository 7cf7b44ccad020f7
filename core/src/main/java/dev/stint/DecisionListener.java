package dev.stint;

/**
 * Receives decisions that an application may want to act on, see {@link DecisionEvents}.
 *
 * <p>It is called by the thread that has the decision, which may bring those of others too: hand
 * over to a thread of your own what could block.
 */
@FunctionalInterface
public interface DecisionListener {

  /** Takes note of an event. What it throws is logged, and changes no decision. */
  void notice(DecisionEvent event);
}
