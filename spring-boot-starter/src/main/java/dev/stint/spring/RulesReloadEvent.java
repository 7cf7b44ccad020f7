package dev.stint.spring;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEvent;

/** An event of the application: changed rules were put in force, or cannot be used. */
public final class RulesReloadEvent extends ApplicationEvent {

  private static final long serialVersionUID = 1L;

  private final @Nullable String problem;

  RulesReloadEvent(Object source, @Nullable String problem) {
    super(source);
    this.problem = problem;
  }

  /** Why the changed rules are not in force and the old ones are; empty if they are. */
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }
}
