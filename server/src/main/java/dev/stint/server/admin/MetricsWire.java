package dev.stint.server.admin;

import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Secret;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.ConnectionBudget;
import dev.stint.server.net.Connections;
import dev.stint.server.net.HttpBudget;
import dev.stint.server.net.Patience;
import dev.stint.server.net.Readiness;
import dev.stint.server.net.RejectionCause;
import dev.stint.server.net.Sockets;
import dev.stint.server.net.TokenAuth;
import dev.stint.server.net.Wire;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Metrics, health and readiness alone, for a port that may be open to a network where the
 * administration is not: it shows no keys and changes nothing.
 */
public final class MetricsWire implements Wire {

  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain; charset=utf-8";

  private final Engine engine;
  private final Configuration configuration;
  private final Listener listener;
  private final Metrics metrics;
  private final Readiness readiness;
  private final Connections connections;
  private final Patience patience = new Patience();
  private final TokenAuth auth;
  private @Nullable HttpServer server;
  private @Nullable Scrapes scrapes;

  /** A wire that shows what {@code metrics} have counted. */
  public MetricsWire(
      Engine engine,
      Configuration configuration,
      Metrics metrics,
      Readiness readiness,
      Connections connections) {
    this.engine = engine;
    this.configuration = configuration;
    this.listener = configuration.listeners().metrics();
    this.metrics = metrics;
    this.readiness = readiness;
    this.connections = connections;
    Secret token = listener.token();
    this.auth = new TokenAuth(token == null ? Clients.everybody() : client(token));
  }

  private static Clients client(Secret token) {
    return Clients.of(Map.of("metrics", ClientSettings.changing(token)));
  }

  /** Asks for another token from now on. */
  public void reloadToken(Secret token) {
    auth.reload(client(token));
  }

  @Override
  public Future<Integer> listen(Vertx loop, int port) {
    scrapes = new Scrapes(loop, metrics);
    HttpServer made =
        loop.createHttpServer(Sockets.http(listener, configuration.bounds(), connections))
            .connectionHandler(this::connected)
            .requestHandler(this::answer);
    patience.watch(loop, configuration.bounds().idle());
    server = made;
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
    if (request.version() == HttpVersion.HTTP_2) {
      ConnectionBudget.Request stream = HttpBudget.holder(request);
      if (stream == null) {
        connections.counters().rejected(RejectionCause.OVERLOAD);
        request.response().reset(HttpBudget.TOO_MUCH).onFailure(gone -> {});
        return;
      }
    }
    patience.began(request, () -> {});
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      request.response().putHeader("Allow", "GET, HEAD");
      refuse(request, 405, "the method must be GET: " + request.method());
      return;
    }
    switch (String.valueOf(request.path())) {
      case "/health" -> send(request, 200, JSON, AdminPages.health(engine.stores(), false));
      case "/ready" -> {
        boolean ready = readiness.isReady();
        send(request, ready ? 200 : 503, JSON, "{\"ready\":" + ready + "}\n");
      }
      case "/metrics" -> scrape(request);
      default -> refuse(request, 404, "the paths are /metrics, /health and /ready");
    }
  }

  private void scrape(HttpServerRequest request) {
    if (!auth.caller(request.getHeader("Authorization")).isKnown()) {
      request.response().putHeader("WWW-Authenticate", "Bearer");
      refuse(request, 401, "a token must be given: Authorization: Bearer ...");
    } else if (scrapes == null) {
      request.response().putHeader("Retry-After", "1");
      refuse(request, 503, Scrapes.STARTING);
    } else {
      scrapes.send(request);
    }
  }

  private void refuse(HttpServerRequest request, int status, String sentence) {
    connections.counters().answered(status);
    send(request, status, TEXT, sentence + "\n");
  }

  private static void send(HttpServerRequest request, int status, String type, String body) {
    HttpServerResponse response = request.response();
    response
        .setStatusCode(status)
        .putHeader("Content-Type", type)
        .putHeader("Cache-Control", "no-store")
        .putHeader("X-Content-Type-Options", "nosniff");
    if (!HttpBudget.send(
        request, 3L * body.length(), () -> response.end(body).onFailure(gone -> {}))) {
      request.connection().close().onFailure(gone -> {});
    }
  }

  @Override
  public Future<Void> drain(Duration within) {
    HttpServer running = server;
    return running == null
        ? Future.succeededFuture()
        : running.shutdown(within.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public Future<Void> reloadCertificates(ServerSSLOptions certificates) {
    return server == null
        ? Future.succeededFuture()
        : server.updateSSLOptions(certificates, true).mapEmpty();
  }
}
