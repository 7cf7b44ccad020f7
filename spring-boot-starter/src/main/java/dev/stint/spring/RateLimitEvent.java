package dev.stint.spring;

import dev.stint.Decision;
import dev.stint.DecisionEvent;
import org.springframework.context.ApplicationEvent;

/**
 * An event of the application about a refusal, a limit that is nearly used up, or a decision
 * without the store. There is one of each kind and rule in {@code stint.events.interval} at most.
 *
 * <p>Listeners run on a thread of their own, never on one that decides.
 */
public final class RateLimitEvent extends ApplicationEvent {

  private static final long serialVersionUID = 1L;

  private final transient DecisionEvent event;

  /** An event that {@code source} tells of. */
  public RateLimitEvent(Object source, DecisionEvent event) {
    super(source);
    this.event = event;
  }

  /** Why it is told of. */
  public DecisionEvent.Kind kind() {
    return event.kind();
  }

  /** The rule, or the budget of an annotated method. */
  public String rule() {
    return Verdict.rule(event.decision().limit());
  }

  /** The answer of the limit. */
  public Decision decision() {
    return event.decision();
  }

  /** How many events of this kind and rule there were since the last one. */
  public long suppressed() {
    return event.suppressed();
  }

  @Override
  public String toString() {
    return kind() + " " + rule() + ": " + decision() + ", " + suppressed() + " more";
  }
}
