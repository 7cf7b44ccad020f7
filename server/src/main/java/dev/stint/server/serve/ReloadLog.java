package dev.stint.server.serve;

import dev.stint.server.admin.Metrics;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How often the configuration was read again, and what came of it last. */
public final class ReloadLog {

  private long successes;
  private long failures;
  private final Map<Part, String> troubles = new EnumMap<>(Part.class);
  private Set<RestartParts> restartNeeded = EnumSet.noneOf(RestartParts.class);

  /** What is read again. A success of one of them says nothing about the other. */
  enum Part {
    CONFIGURATION,
    CERTIFICATES
  }

  /** Shows these numbers among the metrics. */
  void show(Metrics metrics) {
    String description = "Changes of the configuration by what came of them.";
    metrics.counter("stint.reloads", description, this, ReloadLog::successes, "outcome", "done");
    metrics.counter("stint.reloads", description, this, ReloadLog::failures, "outcome", "refused");
    metrics.gauge(
        "stint.config.current",
        "1 if all of the files is in force, 0 if a change was refused or needs a restart.",
        this,
        log -> log.isCurrent() ? 1 : 0);
    for (RestartParts part : RestartParts.values()) {
      metrics.gauge(
          "stint.config.restart.needed",
          "1 if a change of this part of the configuration needs a restart.",
          this,
          log -> log.isRestartNeeded(part) ? 1 : 0,
          "part",
          part.key());
    }
  }

  synchronized void succeeded(Part part) {
    successes++;
    troubles.remove(part);
  }

  synchronized void failed(Part part, String reason) {
    failures++;
    troubles.put(part, reason);
  }

  synchronized void restartNeeded(Set<RestartParts> parts) {
    restartNeeded = EnumSet.noneOf(RestartParts.class);
    restartNeeded.addAll(parts);
  }

  /** Whether the last change of this part was refused. */
  synchronized boolean isInTrouble(Part part) {
    return troubles.containsKey(part);
  }

  /** Whether everything in the files is in force. */
  public synchronized boolean isCurrent() {
    return troubles.isEmpty() && restartNeeded.isEmpty();
  }

  /** Whether a change was taken of which a part needs a restart. */
  public synchronized boolean isRestartNeeded() {
    return !restartNeeded.isEmpty();
  }

  private synchronized boolean isRestartNeeded(RestartParts part) {
    return restartNeeded.contains(part);
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
    return troubles.values().stream().findFirst();
  }
}
