package dev.stint.server.admin;

import dev.stint.Decision;
import dev.stint.memory.MemoryStore;
import dev.stint.server.config.Telemetry;
import dev.stint.server.engine.Policy;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Counts what the engine decides, for Prometheus.
 *
 * <p>Labels come from the configuration and from short lists of words, never from a request, so
 * that there are as many series as somebody wrote policies, whoever asks. Keys are seen in the
 * lists of top keys only.
 */
public final class Metrics implements Watch {

  private static final Duration[] BUCKETS = {
    Duration.ofNanos(1_000),
    Duration.ofNanos(2_500),
    Duration.ofNanos(5_000),
    Duration.ofNanos(10_000),
    Duration.ofNanos(25_000),
    Duration.ofNanos(50_000),
    Duration.ofNanos(100_000),
    Duration.ofNanos(250_000),
    Duration.ofNanos(500_000),
    Duration.ofMillis(1),
    Duration.ofNanos(2_500_000),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100)
  };

  private static final String ALLOWED = "allowed";
  private static final String REFUSED = "refused";

  private static final long TOP_PERIOD = TimeUnit.MINUTES.toNanos(5);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<String, PolicyMeters> policies = new ConcurrentHashMap<>();
  private final Map<String, Map<String, PolicyMeters>> rules = new ConcurrentHashMap<>();
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

  /** What one policy, or one rule of Envoy's, has decided. */
  private final class PolicyMeters {
    private final Counter allowed;
    private final Counter refused;
    private final Counter shadowRefused;
    private final Counter degraded;
    private final Timer duration;

    PolicyMeters(String prefix, String... labels) {
      allowed = decisions(prefix, ALLOWED, labels);
      refused = decisions(prefix, REFUSED, labels);
      shadowRefused = decisions(prefix, "shadow_refused", labels);
      degraded =
          Counter.builder(prefix + ".degraded")
              .description("Decisions made without the store.")
              .tags(labels)
              .register(registry);
      duration =
          Timer.builder(prefix + ".decision")
              .description("How long decisions took.")
              .tags(labels)
              .serviceLevelObjectives(BUCKETS)
              .register(registry);
    }

    private Counter decisions(String prefix, String outcome, String... labels) {
      return Counter.builder(prefix + ".decisions")
          .description("Decisions by what came of them.")
          .tags(labels)
          .tag("outcome", outcome)
          .register(registry);
    }

    void count(boolean isAllowed, boolean isShadow, boolean isDegraded, long nanos) {
      (isAllowed ? allowed : isShadow ? shadowRefused : refused).increment();
      if (isDegraded) {
        degraded.increment();
      }
      duration.record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  /** What a policy and its candidate made of the same requests. */
  private final class Comparison {
    private final Counter bothAllow;
    private final Counter onlyLiveAllows;
    private final Counter onlyCandidateAllows;
    private final Counter bothRefuse;

    Comparison(String live, String candidate) {
      bothAllow = requests(live, candidate, ALLOWED, ALLOWED);
      onlyLiveAllows = requests(live, candidate, ALLOWED, REFUSED);
      onlyCandidateAllows = requests(live, candidate, REFUSED, ALLOWED);
      bothRefuse = requests(live, candidate, REFUSED, REFUSED);
    }

    private Counter requests(String policy, String candidate, String live, String tried) {
      return Counter.builder("stint.candidate")
          .description("Requests by what a policy and its candidate made of them.")
          .tag("policy", policy)
          .tag("candidate", candidate)
          .tag("live", live)
          .tag("tried", tried)
          .register(registry);
    }

    void count(boolean liveAllows, boolean candidateAllows) {
      Counter counter =
          liveAllows
              ? candidateAllows ? bothAllow : onlyLiveAllows
              : candidateAllows ? onlyCandidateAllows : bothRefuse;
      counter.increment();
    }
  }

  @Override
  public void decided(Policy policy, byte[] key, boolean allowed, boolean degraded, long nanos) {
    PolicyMeters meters = policies.get(policy.name());
    if (meters == null) {
      meters =
          policies.computeIfAbsent(
              policy.name(), name -> new PolicyMeters("stint", "policy", name));
    }
    meters.count(allowed, policy.isShadow(), degraded, nanos);
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
    Map<String, PolicyMeters> ofDomain = rules.get(domain);
    if (ofDomain == null) {
      ofDomain = rules.computeIfAbsent(domain, name -> new ConcurrentHashMap<>());
    }
    PolicyMeters meters = ofDomain.get(rule);
    if (meters == null) {
      meters =
          ofDomain.computeIfAbsent(
              rule, name -> new PolicyMeters("stint.rls", "domain", domain, "rule", name));
    }
    meters.count(decision.allowed(), shadow, decision.degraded(), nanos);
  }

  @Override
  public void compared(Policy live, boolean liveAllows, Policy candidate, boolean candidateAllows) {
    candidates
        .computeIfAbsent(
            live.name() + ' ' + candidate.name(),
            both -> new Comparison(live.name(), candidate.name()))
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
    gauge("stint.keys", "Keys that are told apart in memory.", memory, MemoryStore::keys);
    gauge(
        "stint.keys.max",
        "How many keys can be told apart in memory.",
        memory,
        MemoryStore::maxKeys);
    gauge(
        "stint.overflow.cells",
        "Cells in use that keys share because memory is full.",
        memory,
        MemoryStore::overflowCells);
    gauge(
        "stint.log.entries", "Entries of sliding logs in memory.", memory, MemoryStore::logEntries);
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
