package dev.stint.server.serve;

import java.util.Optional;

/** How often the configuration was read again, and what came of it last. */
public final class ReloadLog {

  private long successes;
  private long failures;
  private Optional<String> trouble = Optional.empty();

  synchronized void succeeded() {
    successes++;
    trouble = Optional.empty();
  }

  synchronized void failed(String reason) {
    failures++;
    trouble = Optional.of(reason);
  }

  /** How many changes were put in force. */
  public synchronized long successes() {
    return successes;
  }

  /** How many changes were refused, the old configuration staying in force. */
  public synchronized long failures() {
    return failures;
  }

  /** Why the last change was refused; empty if it was not, or if there was none. */
  public synchronized Optional<String> trouble() {
    return trouble;
  }
}
