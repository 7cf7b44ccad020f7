package dev.stint.server.admin;

import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Secret;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.Connections;
import dev.stint.server.net.Readiness;
import dev.stint.server.net.TokenAuth;
import dev.stint.server.net.Wire;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Metrics, health and readiness alone, for a port that may be open to a network where the
 * administration is not: it shows no keys and changes nothing.
 */
public final class MetricsWire implements Wire {

  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain; charset=utf-8";

  private final Engine engine;
  private final Metrics metrics;
  private final Readiness readiness;
  private final OperatorServer server;
  private final TokenAuth auth;
  private @Nullable Scrapes scrapes;

  /** A wire that shows what {@code metrics} have counted. */
  public MetricsWire(
      Engine engine,
      Configuration configuration,
      Metrics metrics,
      Readiness readiness,
      Connections connections) {
    this.engine = engine;
    this.metrics = metrics;
    this.readiness = readiness;
    Listener listener = configuration.listeners().metrics();
    this.server = new OperatorServer(listener, configuration.bounds(), connections);
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
    return server.listen(loop, port, this::answer);
  }

  private void answer(HttpServerRequest request) {
    if (!server.accept(request, false)) {
      return;
    }
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      request.response().putHeader("Allow", "GET, HEAD");
      refuse(request, 405, "the method must be GET: " + request.method());
      return;
    }
    switch (String.valueOf(request.path())) {
      case "/health" -> server.send(request, 200, JSON, AdminPages.health(engine.stores(), false));
      case OperatorServer.READY -> {
        boolean ready = readiness.isReady();
        server.send(request, ready ? 200 : 503, JSON, "{\"ready\":" + ready + "}\n");
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
    server.send(request, status, TEXT, sentence + "\n");
  }

  @Override
  public Future<Void> drain(Duration within) {
    return server.drain(within);
  }

  @Override
  public Future<Void> reloadCertificates(ServerSSLOptions certificates) {
    return server.reloadCertificates(certificates);
  }
}
