package dev.stint.server.admin;

import dev.stint.StoreException;
import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Secret;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.Connections;
import dev.stint.server.net.CrossSite;
import dev.stint.server.net.InternalErrors;
import dev.stint.server.net.JsonContent;
import dev.stint.server.net.Readiness;
import dev.stint.server.net.TokenAuth;
import dev.stint.server.net.Wire;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Metrics, health, top keys and the dashboard, for operators. */
public final class AdminWire implements Wire {

  private static final String JSON = "application/json";
  private static final String HTML = "text/html; charset=utf-8";
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String ACTIONS = "/actions";
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
  private final OperatorServer server;
  private final Snapshots snapshots;
  private final Explain explain;
  private final Actions actions;
  private @Nullable Vertx vertx;
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
    this.server = new OperatorServer(listener, configuration.bounds(), connections);
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
    return server.listen(loop, port, this::answer);
  }

  private void answer(HttpServerRequest request) {
    if (!server.accept(request, EVENTS.equals(request.path()))) {
      return;
    }
    if (ACTIONS.equals(request.path()) && request.method().equals(HttpMethod.POST)) {
      act(request);
      return;
    }
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      request.response().putHeader("Allow", "GET, HEAD");
      server.send(request, 405, TEXT, "the method must be GET: " + request.method() + "\n");
      return;
    }
    String path = request.path();
    if (path.equals(ACTIONS)) {
      request.response().putHeader("Allow", "POST");
      server.send(request, 405, TEXT, "the method must be POST: " + request.method() + "\n");
    } else if (path.equals("/health")) {
      boolean mayKnowWhy = mayLook(request) && isMeantForUs(request);
      server.send(request, 200, JSON, AdminPages.health(engine.stores(), mayKnowWhy));
    } else if (path.equals(OperatorServer.READY)) {
      boolean ready = readiness.isReady();
      server.send(request, ready ? 200 : 503, JSON, "{\"ready\":" + ready + "}\n");
    } else if (path.equals("/") && Dashboard.isWanted(request)) {
      request
          .response()
          .putHeader("Content-Security-Policy", Dashboard.policy())
          .putHeader("Referrer-Policy", "no-referrer");
      server.send(request, 200, HTML, Dashboard.page());
    } else if (!mayLook(request)) {
      request.response().putHeader("WWW-Authenticate", "Bearer");
      server.send(request, 401, TEXT, "a token must be given: Authorization: Bearer ...\n");
    } else if (!isMeantForUs(request)) {
      server.send(
          request, 403, TEXT, "without a token, the host must be this machine: localhost\n");
    } else {
      page(request, path);
    }
  }

  private void page(HttpServerRequest request, String path) {
    switch (path) {
      case "/" -> server.send(request, 200, TEXT, PAGES);
      case "/metrics" -> scrape(request);
      case "/policies" -> server.send(request, 200, JSON, AdminPages.policies(engine.policies()));
      case "/top" -> sendLater(request, JSON, () -> AdminPages.top(engine.policies(), metrics));
      case "/explain" -> explain(request);
      case EVENTS -> watch(request);
      default -> server.send(request, 404, TEXT, "there is no " + path + "\n\n" + PAGES);
    }
  }

  private void scrape(HttpServerRequest request) {
    if (scrapes == null) {
      request.response().putHeader("Retry-After", "1");
      server.send(request, 503, TEXT, Scrapes.STARTING + "\n");
    } else {
      scrapes.send(request);
    }
  }

  private void watch(HttpServerRequest request) {
    if (events == null || events.isOver()) {
      server.send(
          request, 503, JSON, Json.error("the service is about to end; nothing more happens"));
    } else if (events.isFull()) {
      server.send(
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
      server.send(request, 403, JSON, Json.error(CrossSite.SENTENCE));
    } else if (!auth.needsToken()) {
      server.send(
          request,
          403,
          JSON,
          Json.error(
              "a token must be configured for this, was not: give listeners.admin a token-file or"
                  + " token-env"));
    } else if (!mayLook(request)) {
      request.response().putHeader("WWW-Authenticate", "Bearer");
      server.send(
          request,
          401,
          JSON,
          Json.error("the token must be given and right: Authorization: Bearer …"));
    } else if (!JsonContent.isSentIn(request)) {
      server.send(request, 415, JSON, Json.error(JsonContent.cure(request)));
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
                server.send(
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
      server.send(request, e.status(), JSON, e.body());
    }
  }

  private void explain(HttpServerRequest request) {
    try {
      later(request, explain.page(request));
    } catch (BadAsk e) {
      server.send(request, e.status(), JSON, e.body());
    }
  }

  /** Sends what is made elsewhere. */
  private void later(HttpServerRequest request, CompletionStage<String> page) {
    if (vertx != null) {
      Future.fromCompletionStage(page, vertx.getOrCreateContext())
          .onSuccess(body -> server.send(request, 200, JSON, body))
          .onFailure(
              failure -> server.send(request, 503, JSON, Json.error(AdminWire.away(failure))));
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
          .onSuccess(body -> server.send(request, 200, type, body))
          .onFailure(
              failure -> {
                InternalErrors.log("admin", failure);
                server.send(request, 500, TEXT, InternalErrors.SENTENCE + "\n");
              });
    }
  }

  @Override
  public Future<Void> drain(Duration within) {
    Events viewers = events;
    if (viewers == null) {
      return Future.succeededFuture();
    }
    Promise<Void> drained = Promise.promise();
    viewers.onLoop(
        () -> {
          Future<Void> ended = viewers.end();
          server.drain(within).compose(closed -> ended).onComplete(drained);
        });
    return drained.future();
  }

  @Override
  public Future<Void> reloadCertificates(ServerSSLOptions certificates) {
    return server.reloadCertificates(certificates);
  }
}
