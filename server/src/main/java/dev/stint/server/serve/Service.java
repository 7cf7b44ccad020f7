package dev.stint.server.serve;

import dev.stint.server.admin.AdminWire;
import dev.stint.server.admin.Metrics;
import dev.stint.server.admin.MetricsWire;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Secret;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Stores;
import dev.stint.server.http.HttpWire;
import dev.stint.server.http.JsonRls;
import dev.stint.server.net.ByteBudget;
import dev.stint.server.net.CoarseClock;
import dev.stint.server.net.Connections;
import dev.stint.server.net.DrainHandler;
import dev.stint.server.net.GuardedTransport;
import dev.stint.server.net.LargeRequestWorkers;
import dev.stint.server.net.MemoryPlan;
import dev.stint.server.net.Readiness;
import dev.stint.server.net.TlsFiles;
import dev.stint.server.net.TokenAuth;
import dev.stint.server.net.Wire;
import dev.stint.server.resp.RespWire;
import dev.stint.server.rls.GrpcWire;
import dev.stint.server.rls.RlsExplainer;
import dev.stint.server.rls.RlsJson;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.tracing.TracingOptions;
import io.vertx.core.transport.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A running service: four ports over one engine. */
public final class Service implements Reloader.Target, AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Service.class.getName());
  private static final String HELD = "Bytes that the process holds for its clients.";
  private static final String MAY_HOLD = "Bytes that the process may hold for its clients.";
  private static final long PATIENCE_SECONDS = 30;

  /** What administration has to end in if the other ports took all the time. */
  private static final Duration LAST_PART = Duration.ofMillis(500);

  private final Configuration configuration;
  private final Engine engine;
  private final Metrics metrics;
  private final TokenAuth auth;
  private final Readiness readiness = new Readiness();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final @Nullable Tracing tracing;
  private final MemoryPlan memory;
  private final CoarseClock clock = new CoarseClock();
  private final ByteBudget budget;
  private final Map<Integer, Connections> listeners = new ConcurrentHashMap<>();
  private final LargeRequestWorkers workers;
  private final Vertx vertx;
  private final Port http;
  private final Port grpc;
  private final Port resp;
  private final Port admin;
  private final Port metricsPort;
  private volatile @Nullable AdminWire administration; // its port has one event loop
  private volatile @Nullable MetricsWire metricsWire; // so has this one

  private Service(Configuration configuration, Engine engine, Metrics metrics, MemoryPlan memory) {
    this.configuration = configuration;
    this.engine = engine;
    this.metrics = metrics;
    this.auth = new TokenAuth(configuration.clients());
    int loops = Runtime.getRuntime().availableProcessors();
    this.workers = new LargeRequestWorkers(loops);
    this.tracing = configuration.telemetry().traces().map(Tracing::to).orElse(null);
    this.memory = memory;
    this.budget = memory.budget(configuration.bounds(), clock);
    this.vertx =
        vertx(loops, tracing, new GuardedTransport(budget, listeners::get, this::drainHandler));
    vertx.setPeriodic(CoarseClock.STEP_MILLIS, timer -> clock.advance());
    this.http = port(1, loops, configuration.listeners().http(), this::httpWire);
    this.grpc = port(2, loops, configuration.listeners().grpc(), this::grpcWire);
    this.resp = port(3, loops, configuration.listeners().resp(), RespWire::new);
    this.admin = port(4, 1, configuration.listeners().admin(), this::adminWire);
    this.metricsPort = port(5, 1, configuration.listeners().metrics(), this::metricsWire);
    watchPorts();
  }

  private static Vertx vertx(int loops, @Nullable Tracing tracing, Transport transport) {
    VertxOptions options =
        new VertxOptions()
            .setEventLoopPoolSize(loops)
            .setWorkerPoolSize(2)
            .setInternalBlockingPoolSize(2);
    VertxBuilder builder = Vertx.builder().with(options).withTransport(transport);
    if (tracing != null) {
      options.setTracingOptions(new TracingOptions());
      tracing.trace(builder);
    }
    return builder.build();
  }

  private DrainHandler drainHandler() {
    return new DrainHandler(readiness, configuration.bounds().drain());
  }

  private Wire httpWire(
      Engine engine, Configuration configuration, TokenAuth auth, Connections connections) {
    RlsJson envoy = new RlsJson(engine, configuration.bounds());
    return new HttpWire(
        engine,
        configuration,
        auth,
        connections,
        readiness,
        (body, permissions) ->
            envoy
                .answer(body, permissions)
                .thenApply(
                    reply -> new JsonRls.Reply(reply.status(), reply.contentType(), reply.body())),
        workers.next());
  }

  private Wire grpcWire(
      Engine engine, Configuration configuration, TokenAuth auth, Connections connections) {
    return new GrpcWire(engine, configuration, auth, connections, workers.next());
  }

  private Wire adminWire(
      Engine engine, Configuration configuration, TokenAuth auth, Connections connections) {
    RlsExplainer envoy = new RlsExplainer(engine, configuration.bounds());
    AdminWire wire =
        new AdminWire(
            engine, configuration, metrics, readiness, connections, envoy::explain, this::httpPort);
    administration = wire;
    return wire;
  }

  private void watchBudget() {
    metrics.gauge("stint.client.bytes", HELD, budget, ByteBudget::heapUsed, "memory", "heap");
    metrics.gauge("stint.client.bytes", HELD, budget, ByteBudget::directUsed, "memory", "direct");
    metrics.gauge(
        "stint.client.bytes.max", MAY_HOLD, budget, ByteBudget::heapTotal, "memory", "heap");
    metrics.gauge(
        "stint.client.bytes.max", MAY_HOLD, budget, ByteBudget::directTotal, "memory", "direct");
  }

  private void watchPort(String wire, Connections connections) {
    metrics.watch(wire, connections.counters());
    metrics.gauge(
        "stint.connections", "Open connections.", connections, Connections::open, "wire", wire);
    metrics.gauge(
        "stint.connections.max",
        "Connections that a listener may have open.",
        connections,
        Connections::most,
        "wire",
        wire);
  }

  private Wire metricsWire(
      Engine engine, Configuration configuration, TokenAuth auth, Connections connections) {
    MetricsWire wire = new MetricsWire(engine, configuration, metrics, readiness, connections);
    metricsWire = wire;
    return wire;
  }

  private void watchPorts() {
    memory
        .lowered(configuration.listeners(), configuration.bounds())
        .ifPresent(sentence -> LOG.warning(sentence));
    metrics.watch(engine.stores());
    metrics.watch(engine.exceptions());
    watchBudget();
    Map.of("http", http, "grpc", grpc, "resp", resp, "admin", admin, "metrics", metricsPort)
        .forEach((wire, port) -> watchPort(wire, port.connections()));
  }

  /** How a wire is made. */
  private interface Maker {
    Wire make(Engine engine, Configuration configuration, TokenAuth auth, Connections connections);
  }

  private Port port(int id, int loops, Listener listener, Maker maker) {
    Connections connections =
        new Connections(
            id,
            memory.connections(listener, configuration.bounds()),
            configuration.bounds().idle(),
            configuration.bounds().headers());
    listeners.put(id, connections);
    return new Port(
        id,
        loops,
        listener,
        () -> maker.make(engine, configuration, auth, connections),
        connections);
  }

  /** Starts a service; when this returns, it answers. */
  public static Service start(Configuration configuration) {
    return start(configuration, Stores.open(configuration.store(), configuration.rls().deadline()));
  }

  /** Starts a service on these stores, which it owns from now on. */
  public static Service start(Configuration configuration, Stores stores) {
    Metrics metrics = new Metrics(configuration.telemetry());
    return start(configuration, new Engine(configuration, stores, metrics), metrics);
  }

  /** Starts a service that uses no more memory for clients than this plan has. */
  public static Service start(Configuration configuration, MemoryPlan memory) {
    Metrics metrics = new Metrics(configuration.telemetry());
    Stores stores = Stores.open(configuration.store(), configuration.rls().deadline());
    return start(configuration, new Engine(configuration, stores, metrics), metrics, memory);
  }

  /** Starts a service on this engine, which it owns from now on, and whose watch is its own. */
  public static Service start(Configuration configuration, Engine engine) {
    return start(configuration, engine, new Metrics(configuration.telemetry()));
  }

  private static Service start(Configuration configuration, Engine engine, Metrics metrics) {
    return start(configuration, engine, metrics, MemoryPlan.of(configuration.store()));
  }

  private static Service start(
      Configuration configuration, Engine engine, Metrics metrics, MemoryPlan memory) {
    Service service = new Service(configuration, engine, metrics, memory);
    try {
      await(
          // All, also if one fails: to close what is still being opened makes Vert.x log a trace.
          Future.join(
              service.open("http", service.http),
              service.open("grpc", service.grpc),
              service.open("resp", service.resp),
              service.open("admin", service.admin),
              service.open("metrics", service.metricsPort)));
      return service;
    } catch (RuntimeException e) {
      try {
        service.close();
      } catch (RuntimeException another) {
        e.addSuppressed(another);
      }
      throw e;
    }
  }

  private Future<?> open(String wire, Port port) {
    return port.open(vertx)
        .transform(
            opened ->
                opened.succeeded()
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        new IllegalStateException(
                            PortCheck.sentence(
                                wire, port.listener(), String.valueOf(opened.cause().getMessage())),
                            opened.cause())));
  }

  /** Puts the policies, clients and admin token of another configuration in force. */
  @Override
  public void reload(Configuration other) {
    engine.reload(other);
    metrics.retain(engine.policies());
    auth.reload(other.clients());
    AdminWire wire = administration;
    Secret token = other.listeners().admin().token();
    if (wire != null && token != null && configuration.listeners().admin().token() != null) {
      wire.reloadToken(token); // to add or to remove one needs a restart
    }
    MetricsWire scraped = metricsWire;
    Secret scrapers = other.listeners().metrics().token();
    if (scraped != null
        && scrapers != null
        && configuration.listeners().metrics().token() != null) {
      scraped.reloadToken(scrapers);
    }
  }

  /** Reads all certificates again. All are good before the first is used. */
  @Override
  public void reloadCertificates() {
    Map<Port, TlsFiles> read = new LinkedHashMap<>();
    Set<String> warnings = new LinkedHashSet<>(); // ports may share a certificate
    for (Port port : List.of(http, grpc, resp, admin, metricsPort)) {
      TlsFiles files = port.readCertificates();
      if (files != null) {
        read.put(port, files);
        warnings.addAll(files.warnings(Instant.now()));
      }
    }
    warnings.forEach(LOG::warning);
    await(
        Future.all(
            read.entrySet().stream()
                .map(entry -> entry.getKey().reloadCertificates(entry.getValue()))
                .toList()));
  }

  /** The engine that decides. */
  public Engine engine() {
    return engine;
  }

  /** The port of HTTP. */
  public int httpPort() {
    return http.number();
  }

  /** The port of gRPC. */
  public int grpcPort() {
    return grpc.number();
  }

  /** The port of Redis' protocol. */
  public int respPort() {
    return resp.number();
  }

  /** The port of administration. */
  public int adminPort() {
    return admin.number();
  }

  /** The port of metrics alone; 0 if there is none. */
  public int metricsPort() {
    return metricsPort.number();
  }

  /** What is counted. */
  public Metrics metrics() {
    return metrics;
  }

  /**
   * Tells load balancers that it will stop, and goes on answering for {@code
   * bounds.shutdown-delay}; then takes no more connections, answers the requests it has read within
   * {@code bounds.drain}, and stops.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    readiness.stop();
    List.of(http, grpc, resp, admin, metricsPort).forEach(Port::unready);
    pause(configuration.bounds().shutdownDelay());
    Duration drain = configuration.bounds().drain();
    long end = System.nanoTime() + drain.toNanos();
    try {
      // Each is drained even if another one fails. Administration tells of it until the end.
      await(Future.join(drain(http, drain), drain(grpc, drain), drain(resp, drain)));
      Duration rest = Duration.ofNanos(end - System.nanoTime());
      Duration last = rest.compareTo(LAST_PART) > 0 ? rest : LAST_PART;
      await(Future.join(drain(admin, last), drain(metricsPort, last)));
    } finally {
      try {
        await(vertx.close());
      } finally {
        engine.close();
        metrics.close();
        if (tracing != null) {
          tracing.close();
        }
      }
    }
  }

  private Future<?> drain(Port port, Duration within) {
    return port.connections().stopAccepting().compose(closed -> port.drain(within));
  }

  private static void pause(Duration time) {
    try {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // whoever interrupts does not want to wait
    }
  }

  private static void await(Future<?> future) {
    try {
      future.toCompletionStage().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("not done within " + PATIENCE_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
