package dev.stint.server.admin;

import dev.stint.StoreException;
import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Secret;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.ConnectionBudget;
import dev.stint.server.net.Connections;
import dev.stint.server.net.CrossSite;
import dev.stint.server.net.HttpBudget;
import dev.stint.server.net.InternalErrors;
import dev.stint.server.net.JsonContent;
import dev.stint.server.net.Patience;
import dev.stint.server.net.Readiness;
import dev.stint.server.net.RejectionCause;
import dev.stint.server.net.Sockets;
import dev.stint.server.net.TokenAuth;
import dev.stint.server.net.Wire;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Metrics, health, top keys and the dashboard, for operators. */
public final class AdminWire implements Wire {

  private static final String JSON = "application/json";
  private static final String HTML = "text/html; charset=utf-8";
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String ACTIONS = "/actions";
  private static final String READY = "/ready";
  private static final String EVENTS = "/events";
  private static final int ROOM_BESIDE_KEYS = 4 << 10;
  private static final long SOON = 1000;
  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "::1", "[::1]");

  private static final String PAGES =
      """
      Stint's administration:
        /metrics   for Prometheus
        /health    whether the process lives, and how its store is
        /ready     whether it takes requests
        /policies  the policies in force
        /top       the most used and most refused keys of the last minutes
        /explain   which rule is for a key, and what it would be answered: ?policy=P&key=K
        /actions   resets, grants and blocks, with a token: POST {"action":"reset",...}
        /events    what happens, once a second; / in a browser shows it
      """;

  private final Engine engine;
  private final Configuration configuration;
  private final Listener listener;
  private final TokenAuth auth;
  private final Metrics metrics;
  private final Readiness readiness;
  private final Connections connections;
  private final Snapshots snapshots;
  private final Explain explain;
  private final Actions actions;
  private final Patience patience = new Patience();
  private @Nullable Vertx vertx;
  private @Nullable HttpServer server;
  private @Nullable Events events;
  private @Nullable Scrapes scrapes;

  /**
   * A wire over {@code engine}, to show what {@code metrics} have seen.
   *
   * @param httpPort where questions are answered, once that is known
   */
  public AdminWire(
      Engine engine,
      Configuration configuration,
      Metrics metrics,
      Readiness readiness,
      Connections connections,
      EnvoyExplainer envoy,
      IntSupplier httpPort) {
    this.engine = engine;
    this.configuration = configuration;
    this.listener = configuration.listeners().admin();
    this.auth = new TokenAuth(operators(listener.token()));
    this.metrics = metrics;
    this.readiness = readiness;
    this.connections = connections;
    this.snapshots = new Snapshots(engine, metrics, listener.token() != null, httpPort);
    this.explain = new Explain(engine, envoy, configuration.bounds().key());
    this.actions =
        new Actions(engine, configuration.bounds().key(), configuration.telemetry().hashTopKeys());
  }

  /** Asks for another token from now on. Streams that were opened with the old one end. */
  public void reloadToken(Secret token) {
    auth.reload(operators(token));
  }

  /** Whoever knows the token; everybody that can reach the port if there is none. */
  private static Clients operators(@Nullable Secret token) {
    return token == null
        ? Clients.everybody()
        : Clients.of(Map.of("admin", ClientSettings.changing(token)));
  }

  @Override
  public Future<Integer> listen(Vertx loop, int port) {
    vertx = loop;
    HttpServer made =
        loop.createHttpServer(Sockets.http(listener, configuration.bounds(), connections))
            .connectionHandler(this::connected)
            .requestHandler(this::answer);
    patience.watch(loop, configuration.bounds().idle());
    server = made;
    scrapes = new Scrapes(loop, metrics);
    Events viewers = new Events(loop, snapshots);
    viewers.begin();
    metrics.gauge("stint.dashboard.viewers", "Open dashboards.", viewers, Events::count);
    metrics.counter(
        "stint.dashboard.snapshots",
        "Snapshots that were made for dashboards.",
        snapshots,
        Snapshots::made);
    events = viewers;
    return made.listen(port, listener.host()).map(HttpServer::actualPort);
  }

  private void connected(HttpConnection connection) {
    if (HttpBudget.enter(connection)) {
      patience.entered(connection);
      connection.closeHandler(closed -> patience.left(connection));
    } else {
      connection.close().onFailure(already -> {});
    }
  }

  private void answer(HttpServerRequest request) {
    connections.counters().request();
    ConnectionBudget.Request stream = null;
    if (request.version() == HttpVersion.HTTP_2) {
      stream = HttpBudget.holder(request);
      if (stream == null) {
        connections.counters().rejected(RejectionCause.OVERLOAD);
        request.response().reset(HttpBudget.TOO_MUCH).onFailure(gone -> {});
        return;
      }
    }
    if (stream != null && EVENTS.equals(request.path())) {
      stream.settle(); // it stays open, and there is nothing to wait for
    }
    patience.began(request, () -> {});
    if (ACTIONS.equals(request.path()) && request.method().equals(HttpMethod.POST)) {
      act(request);
      return;
    }
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      request.response().putHeader("Allow", "GET, HEAD");
      send(request, 405, TEXT, "the method must be GET: " + request.method() + "\n");
      return;
    }
    String path = request.path();
    if (path.equals(ACTIONS)) {
      request.response().putHeader("Allow", "POST");
      send(request, 405, TEXT, "the method must be POST: " + request.method() + "\n");
    } else if (path.equals("/health")) {
      boolean mayKnowWhy = mayLook(request) && isMeantForUs(request);
      send(request, 200, JSON, AdminPages.health(engine.stores(), mayKnowWhy));
    } else if (path.equals(READY)) {
      boolean ready = readiness.isReady();
      send(request, ready ? 200 : 503, JSON, "{\"ready\":" + ready + "}\n");
    } else if (path.equals("/") && Dashboard.isWanted(request)) {
      request
          .response()
          .putHeader("Content-Security-Policy", Dashboard.policy())
          .putHeader("Referrer-Policy", "no-referrer");
      send(request, 200, HTML, Dashboard.page());
    } else if (!mayLook(request)) {
      request.response().putHeader("WWW-Authenticate", "Bearer");
      send(request, 401, TEXT, "a token must be given: Authorization: Bearer ...\n");
    } else if (!isMeantForUs(request)) {
      send(request, 403, TEXT, "without a token, the host must be this machine: localhost\n");
    } else {
      page(request, path);
    }
  }

  private void page(HttpServerRequest request, String path) {
    switch (path) {
      case "/" -> send(request, 200, TEXT, PAGES);
      case "/metrics" -> scrape(request);
      case "/policies" -> send(request, 200, JSON, AdminPages.policies(engine.policies()));
      case "/top" -> sendLater(request, JSON, () -> AdminPages.top(engine.policies(), metrics));
      case "/explain" -> explain(request);
      case EVENTS -> watch(request);
      default -> send(request, 404, TEXT, "there is no " + path + "\n\n" + PAGES);
    }
  }

  private void scrape(HttpServerRequest request) {
    if (scrapes == null) {
      request.response().putHeader("Retry-After", "1");
      send(request, 503, TEXT, Scrapes.STARTING + "\n");
    } else {
      scrapes.send(request);
    }
  }

  private void watch(HttpServerRequest request) {
    if (events == null || events.isOver()) {
      send(request, 503, JSON, Json.error("the service is about to end; nothing more happens"));
    } else if (events.isFull()) {
      send(
          request,
          503,
          JSON,
          Json.error(
              "at most " + Events.MOST + " may watch at once; close a dashboard somewhere else"));
    } else {
      events.open(request, () -> mayLook(request));
    }
  }

  /** A token is needed to change anything, since an address alone says nothing of who asks. */
  private void act(HttpServerRequest request) {
    if (CrossSite.isMarked(request)) {
      send(request, 403, JSON, Json.error(CrossSite.SENTENCE));
    } else if (!auth.needsToken()) {
      send(
          request,
          403,
          JSON,
          Json.error(
              "a token must be configured for this, was not: give listeners.admin a token-file or"
                  + " token-env"));
    } else if (!mayLook(request)) {
      request.response().putHeader("WWW-Authenticate", "Bearer");
      send(
          request,
          401,
          JSON,
          Json.error("the token must be given and right: Authorization: Bearer …"));
    } else if (!JsonContent.isSentIn(request)) {
      send(request, 415, JSON, Json.error(JsonContent.cure(request)));
    } else {
      gather(request);
    }
  }

  private void gather(HttpServerRequest request) {
    int most = configuration.bounds().key() * 6 + ROOM_BESIDE_KEYS; // each byte may be escaped
    Buffer body = Buffer.buffer();
    request
        .handler(
            chunk -> {
              if (body.length() + chunk.length() <= most) {
                body.appendBuffer(chunk);
              } else if (!request.response().ended()) {
                send(
                    request,
                    413,
                    JSON,
                    Json.error("the body must have at most " + most + " bytes"));
                closeSoon(request);
              }
            })
        .endHandler(
            ended -> {
              if (!request.response().ended()) {
                obey(request, body.getBytes());
              }
            });
  }

  /** Who is cut off at once may never read why; meanwhile the rest of the body is thrown away. */
  private void closeSoon(HttpServerRequest request) {
    if (vertx != null && request.version() != HttpVersion.HTTP_2) {
      vertx.setTimer(SOON, timer -> request.connection().close().onFailure(gone -> {}));
    }
  }

  private void obey(HttpServerRequest request, byte[] body) {
    try {
      String from = String.valueOf(request.remoteAddress().hostAddress());
      later(request, actions.run(Order.read(body), from));
    } catch (BadAsk e) {
      send(request, e.status(), JSON, e.body());
    }
  }

  private void explain(HttpServerRequest request) {
    try {
      later(request, explain.page(request));
    } catch (BadAsk e) {
      send(request, e.status(), JSON, e.body());
    }
  }

  /** Sends what is made elsewhere. */
  private void later(HttpServerRequest request, CompletionStage<String> page) {
    if (vertx != null) {
      Future.fromCompletionStage(page, vertx.getOrCreateContext())
          .onSuccess(body -> send(request, 200, JSON, body))
          .onFailure(failure -> send(request, 503, JSON, Json.error(AdminWire.away(failure))));
    }
  }

  /** Why the store is away is in the log, and in {@code /health}. */
  private static String away(Throwable failure) {
    Throwable cause = failure.getCause();
    Throwable known = failure instanceof CompletionException && cause != null ? cause : failure;
    if (known instanceof StoreException) {
      return "the store cannot be reached, and this needs it; try again";
    }
    InternalErrors.log("admin", known);
    return InternalErrors.SENTENCE;
  }

  private boolean mayLook(HttpServerRequest request) {
    return auth.caller(request.getHeader("Authorization")).isKnown();
  }

  /** A page from elsewhere, in a browser on this machine, must not read this under its own name. */
  private boolean isMeantForUs(HttpServerRequest request) {
    if (listener.token() != null || listener.tls() != null) {
      return true;
    }
    String host = request.authority() == null ? "" : request.authority().host();
    return THIS_MACHINE.contains(host) || host.equals(listener.host());
  }

  /** A page that takes a while is made elsewhere: the event loop has others to answer. */
  private void sendLater(HttpServerRequest request, String type, Callable<String> page) {
    if (vertx != null) {
      vertx
          .executeBlocking(page, false)
          .onSuccess(body -> send(request, 200, type, body))
          .onFailure(
              failure -> {
                InternalErrors.log("admin", failure);
                send(request, 500, TEXT, InternalErrors.SENTENCE + "\n");
              });
    }
  }

  private void send(HttpServerRequest request, int status, String type, String body) {
    HttpServerResponse response = request.response();
    if (!READY.equals(request.path())) { // where 503 is an answer as good as 200
      connections.counters().answered(status);
    }
    response
        .setStatusCode(status)
        .putHeader("Content-Type", type)
        .putHeader("Cache-Control", "no-store")
        .putHeader("X-Content-Type-Options", "nosniff");
    // A text has two bytes for each character at worst, and is copied once.
    if (!HttpBudget.send(
        request, 3L * body.length(), () -> response.end(body).onFailure(gone -> {}))) {
      request.connection().close().onFailure(gone -> {});
    }
  }

  @Override
  public Future<Void> drain(Duration within) {
    HttpServer running = server;
    Events viewers = events;
    if (running == null || viewers == null) {
      return Future.succeededFuture();
    }
    Promise<Void> drained = Promise.promise();
    viewers.onLoop(
        () -> {
          Future<Void> ended = viewers.end();
          running
              .shutdown(within.toMillis(), TimeUnit.MILLISECONDS)
              .compose(closed -> ended)
              .onComplete(drained);
        });
    return drained.future();
  }

  @Override
  public Future<Void> reloadCertificates(ServerSSLOptions certificates) {
    return server == null
        ? Future.succeededFuture()
        : server.updateSSLOptions(certificates, true).mapEmpty();
  }
}
