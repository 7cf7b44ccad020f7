package dev.stint.server.serve;

import dev.stint.server.admin.Metrics;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** How often the configuration was read again, and what came of it last. */
public final class ReloadLog {

  private long successes;
  private long failures;
  private final Map<Part, String> troubles = new EnumMap<>(Part.class);

  /** What is read again; that one of them is well says nothing about the other. */
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
        "1 if the configuration in force is that of the files, 0 if theirs was refused.",
        this,
        log -> log.trouble().isEmpty() ? 1 : 0);
  }

  synchronized void succeeded(Part part) {
    successes++;
    troubles.remove(part);
  }

  synchronized void failed(Part part, String reason) {
    failures++;
    troubles.put(part, reason);
  }

  /** Whether the last change of this part was refused. */
  synchronized boolean isInTrouble(Part part) {
    return troubles.containsKey(part);
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
