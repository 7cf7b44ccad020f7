package dev.stint.server.admin;

import dev.stint.Decision;
import dev.stint.memory.MemoryStore;
import dev.stint.server.config.Telemetry;
import dev.stint.server.engine.Exceptions;
import dev.stint.server.engine.Policy;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the engine decides, for Prometheus.
 *
 * <p>Labels come from the configuration and from short lists of words, never from a request, so
 * that there are as many series as somebody wrote policies, whoever asks. Keys are seen in the
 * lists of top keys only.
 */
public final class Metrics implements Watch {

  private static final long TOP_PERIOD = TimeUnit.MINUTES.toNanos(5);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<String, Meters> policies = new ConcurrentHashMap<>();
  private final Map<String, Map<String, Meters>> rules = new ConcurrentHashMap<>();
  private final Map<String, Comparison> candidates = new ConcurrentHashMap<>();
  private final Telemetry telemetry;
  private final TopKeys used;
  private final TopKeys refused;

  /** Metrics of a service that is about to start. */
  public Metrics(Telemetry telemetry) {
    this.telemetry = telemetry;
    this.used = new TopKeys(telemetry.topKeys(), TOP_PERIOD);
    this.refused = new TopKeys(telemetry.topKeys(), TOP_PERIOD);
  }

  @Override
  public void decided(
      Policy policy,
      byte[] key,
      boolean allowed,
      boolean degraded,
      long remaining,
      long capacity,
      long nanos) {
    Meters meters = policies.get(policy.name());
    if (meters == null) {
      meters =
          policies.computeIfAbsent(
              policy.name(), name -> new Meters(registry, "stint", "policy", name));
    }
    meters.count(allowed, policy.isShadow(), degraded, remaining, capacity, nanos);
    if (telemetry.topKeys() > 0) {
      long now = System.nanoTime();
      used.note(policy.name(), key, now);
      if (!allowed) {
        refused.note(policy.name(), key, now);
      }
    }
  }

  @Override
  public void decided(String domain, String rule, boolean shadow, Decision decision, long nanos) {
    Map<String, Meters> ofDomain = rules.get(domain);
    if (ofDomain == null) {
      ofDomain = rules.computeIfAbsent(domain, name -> new ConcurrentHashMap<>());
    }
    Meters meters = ofDomain.get(rule);
    if (meters == null) {
      meters =
          ofDomain.computeIfAbsent(
              rule, name -> new Meters(registry, "stint.rls", "domain", domain, "rule", name));
    }
    meters.count(
        decision.allowed(),
        shadow,
        decision.degraded(),
        decision.remaining(),
        decision.limit().capacity(),
        nanos);
  }

  @Override
  public void compared(Policy live, boolean liveAllows, Policy candidate, boolean candidateAllows) {
    candidates
        .computeIfAbsent(
            live.name() + ' ' + candidate.name(),
            both -> new Comparison(registry, live.name(), candidate.name()))
        .count(liveAllows, candidateAllows);
  }

  /** Shows the state of the stores. */
  public void watch(Stores stores) {
    MemoryStore memory = stores.memory();
    gauge(
        "stint.store.state",
        "1 if the store can be asked, 0 if not.",
        stores,
        all -> all.trouble().isEmpty() ? 1 : 0);
    gauge(
        "stint.keys",
        "Keys of policies that are counted one by one in memory.",
        memory,
        all -> all.keys() - all.callKeys());
    gauge(
        "stint.keys.max",
        "How many keys of policies can be counted one by one in memory.",
        memory,
        MemoryStore::maxKeys);
    gauge(
        "stint.request.keys",
        "Keys of limits that came with requests and are counted one by one in memory.",
        memory,
        MemoryStore::callKeys);
    gauge(
        "stint.request.keys.max",
        "How many keys of limits that come with requests can be counted one by one in memory.",
        memory,
        MemoryStore::maxCallKeys);
    gauge(
        "stint.overflow.cells",
        "Cells in use that keys share because memory is full.",
        memory,
        MemoryStore::overflowCells);
    gauge(
        "stint.log.entries", "Entries of sliding logs in memory.", memory, MemoryStore::logEntries);
  }

  /** Shows how many keys are excepted. */
  public void watch(Exceptions exceptions) {
    for (Exceptions.Kind kind : Exceptions.Kind.values()) {
      gauge(
          "stint.exceptions",
          "Keys that are granted more than their policy, or blocked.",
          exceptions,
          all -> all.count(kind),
          "kind",
          kind.name().toLowerCase(Locale.ROOT));
    }
  }

  /** Shows a number by this name, with labels in pairs. */
  public <T> void gauge(
      String name, String description, T source, ToDoubleFunction<T> number, String... labels) {
    Gauge.builder(name, source, number)
        .description(description)
        .tags(labels)
        .strongReference(true)
        .register(registry);
  }

  /** Shows a number that only grows by this name, with labels in pairs. */
  public <T> void counter(
      String name, String description, T source, ToDoubleFunction<T> number, String... labels) {
    FunctionCounter.builder(name, source, number)
        .description(description)
        .tags(labels)
        .register(registry);
  }

  /** Everything as Prometheus reads it. */
  String scrape() {
    return registry.scrape();
  }

  /** What has been counted by policies, and by limits that came with requests. */
  Map<String, Meters> policies() {
    return policies;
  }

  /** What has been counted by Envoy's rules, by domain and rule. */
  Map<String, Map<String, Meters>> rules() {
    return rules;
  }

  /** What a policy and its candidate made of the same requests; null if there was none yet. */
  @Nullable Comparison comparison(Policy live, Policy candidate) {
    return candidates.get(live.name() + ' ' + candidate.name());
  }

  TopKeys used() {
    return used;
  }

  TopKeys refused() {
    return refused;
  }

  boolean hashesTopKeys() {
    return telemetry.hashTopKeys();
  }
}
