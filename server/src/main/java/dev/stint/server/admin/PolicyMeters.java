package dev.stint.server.admin;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The meters of policies, so many at most; further policies share those of {@code _other}. */
final class PolicyMeters {

  static final int MOST = 500;

  private final PrometheusMeterRegistry registry;
  private final DurationCollector durations;
  private final double nearLimit;
  private final Map<String, Meters> byName = new ConcurrentHashMap<>();

  PolicyMeters(PrometheusMeterRegistry registry, double nearLimit) {
    this.registry = registry;
    this.durations =
        DurationCollector.register(registry.getPrometheusRegistry(), "stint_decision_seconds");
    this.nearLimit = nearLimit;
  }

  Meters of(String policy) {
    Meters known = byName.get(policy);
    if (known != null) {
      return known;
    }
    if (byName.size() >= MOST) {
      Meters others = byName.get(LabelText.OTHER);
      return others == null ? create(LabelText.OTHER) : others;
    }
    return create(policy);
  }

  /** One at a time, so that the bound holds. */
  private synchronized Meters create(String policy) {
    String name = byName.size() >= MOST ? LabelText.OTHER : policy;
    return byName.computeIfAbsent(
        name,
        wanted ->
            new Meters(
                registry, durations, "stint", nearLimit, null, "policy", LabelText.of(wanted)));
  }

  Map<String, Meters> all() {
    return Collections.unmodifiableMap(byName);
  }

  /** Forgets all but these. */
  synchronized void retain(Set<String> policies, Consumer<Meters> removed) {
    byName
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = !policies.contains(entry.getKey());
              if (gone) {
                removed.accept(entry.getValue());
              }
              return gone;
            });
  }
}
