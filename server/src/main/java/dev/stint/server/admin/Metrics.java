package dev.stint.server.admin;

import dev.stint.Decision;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import dev.stint.server.config.RlsSettings;
import dev.stint.server.config.Telemetry;
import dev.stint.server.engine.Exceptions;
import dev.stint.server.engine.Policies;
import dev.stint.server.engine.Policy;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.server.net.RejectionCause;
import dev.stint.server.net.WireCounters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the engine decides, for Prometheus.
 *
 * <p>Labels come from the configuration and from closed sets. The exception are the values of
 * descriptors of rules with {@code detailed_metric}. All of them are bounded in number and in
 * length, so a scrape is bounded too. Keys are only in the lists of top keys.
 */
public final class Metrics implements Watch, AutoCloseable {

  private static final long TOP_PERIOD = TimeUnit.MINUTES.toNanos(5);

  private static final Duration[] STORE_BUCKETS =
      LongStream.of(100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 1_000_000)
          .mapToObj(micros -> Duration.ofNanos(micros * 1000))
          .toArray(Duration[]::new);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final PolicyMeters policies;
  private final RuleMeters rules;
  private final Comparisons comparisons = new Comparisons(registry);
  private final Retired retired = new Retired(registry);
  private final JvmMetrics jvm = new JvmMetrics(registry);
  private final Telemetry telemetry;
  private final TopKeys used;
  private final TopKeys refused;

  /** Metrics of a service that is about to start. */
  public Metrics(Telemetry telemetry) {
    this.telemetry = telemetry;
    this.policies = new PolicyMeters(registry, telemetry.nearLimit());
    this.rules = new RuleMeters(registry, telemetry.nearLimit());
    this.used = new TopKeys(telemetry.topKeys(), TOP_PERIOD);
    this.refused = new TopKeys(telemetry.topKeys(), TOP_PERIOD);
  }

  @Override
  public void decided(
      Policy policy,
      byte[] key,
      Operation operation,
      long units,
      boolean allowed,
      boolean degraded,
      long remaining,
      long capacity,
      long began,
      long ended) {
    policies
        .of(policy.name())
        .count(
            operation,
            units,
            allowed,
            policy.isShadow(),
            degraded,
            remaining,
            capacity,
            began,
            ended);
    if (telemetry.topKeys() > 0 && operation == Operation.HIT) {
      used.note(policy.name(), key, ended);
      if (!allowed) {
        refused.note(policy.name(), key, ended);
      }
    }
  }

  @Override
  public void decided(
      String domain,
      String path,
      String label,
      boolean shadow,
      Operation operation,
      long units,
      Decision decision,
      long began,
      long ended) {
    rules
        .of(domain, path, label)
        .count(
            operation,
            units,
            decision.allowed(),
            shadow,
            decision.degraded(),
            decision.remaining(),
            decision.limit().capacity(),
            began,
            ended);
  }

  @Override
  public void compared(Policy live, boolean liveAllows, Policy candidate, boolean candidateAllows) {
    comparisons.of(live.name(), candidate.name()).count(liveAllows, candidateAllows);
  }

  /** Forgets what is no longer in force, so that reloads do not add up. */
  public void retain(Policies inForce) {
    Set<String> names = new HashSet<>(Policies.OWN_SPACES);
    Map<String, String> candidates = new HashMap<>();
    for (Policy policy : inForce.all()) {
      names.add(policy.name());
      Policy candidate = policy.candidate();
      if (candidate != null) {
        candidates.put(policy.name(), candidate.name());
      }
    }
    policies.retain(names, retired::add);
    rules.retain(paths(inForce.rls()), retired::add);
    comparisons.retain(candidates);
  }

  private static Map<String, Set<String>> paths(RlsSettings settings) {
    Map<String, Set<String>> paths = new HashMap<>();
    settings
        .domains()
        .forEach(
            (domain, nodes) -> {
              Set<String> ofDomain = paths.computeIfAbsent(domain, unused -> new HashSet<>());
              nodes.forEach(node -> addPaths("", node, ofDomain));
            });
    return paths;
  }

  private static void addPaths(String parent, RlsSettings.Node node, Set<String> paths) {
    String path = node.path(parent);
    paths.add(path);
    node.children().forEach(child -> addPaths(path + ".", child, paths));
  }

  /** Shows what the wire of this name has counted. */
  public void watch(String wire, WireCounters counters) {
    counter(
        "stint.requests",
        "Requests by wire, whatever they were answered.",
        counters,
        WireCounters::requests,
        "wire",
        wire);
    for (RejectionCause cause : RejectionCause.values()) {
      boolean ofConnections = cause.isOfConnections();
      counter(
          ofConnections ? "stint.rejected.connections" : "stint.rejected.requests",
          ofConnections
              ? "Connections that were rejected or closed, by cause."
              : "Requests that were rejected before any limit decided, by cause.",
          counters,
          all -> all.rejections(cause),
          "wire",
          wire,
          "cause",
          cause.label());
    }
  }

  private Timer roundTrips(String outcome) {
    return Timer.builder("stint.store")
        .description("How long round trips to Redis took.")
        .tag("outcome", outcome)
        .serviceLevelObjectives(STORE_BUCKETS)
        .register(registry);
  }

  /** Shows the state of the stores. */
  public void watch(Stores stores) {
    MemoryStore memory = stores.memory();
    Timer answered = roundTrips("answered");
    Timer failed = roundTrips("failed");
    stores.onRoundTrip(
        (isAnswered, nanos) ->
            (isAnswered ? answered : failed).record(nanos, TimeUnit.NANOSECONDS));
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

  /** Writes everything as Prometheus reads it. */
  void scrape(OutputStream out) throws IOException {
    registry.scrape(out);
  }

  /** What has been counted by policies, and by limits that came with requests. */
  Map<String, Meters> policies() {
    return policies.all();
  }

  /** What has been counted by Envoy's rules. */
  RuleMeters rules() {
    return rules;
  }

  /** What has been counted by policies and rules that are no longer in force. */
  Retired retired() {
    return retired;
  }

  /** What a policy and its candidate made of the same requests; null if there was none yet. */
  @Nullable Comparison comparison(Policy live, Policy candidate) {
    return comparisons.find(live.name(), candidate.name());
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

  @Override
  public void close() {
    jvm.close();
    registry.close();
  }
}
