package dev.stint.server.admin;

import dev.stint.server.config.Bounds;
import dev.stint.server.config.Listener;
import dev.stint.server.net.ConnectionBudget;
import dev.stint.server.net.Connections;
import dev.stint.server.net.HttpBudget;
import dev.stint.server.net.IdleTimeouts;
import dev.stint.server.net.RejectionCause;
import dev.stint.server.net.Sockets;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The HTTP server of a port for operators: its connections, what it sends, and its end. */
final class OperatorServer {

  static final String READY = "/ready";

  private final Listener listener;
  private final Bounds bounds;
  private final Connections connections;
  private final IdleTimeouts timeouts;
  private @Nullable HttpServer server;

  OperatorServer(Listener listener, Bounds bounds, Connections connections) {
    this.listener = listener;
    this.bounds = bounds;
    this.connections = connections;
    this.timeouts = new IdleTimeouts(connections.counters());
  }

  /** Listens from now on; the future has the port. */
  Future<Integer> listen(Vertx loop, int port, Handler<HttpServerRequest> handler) {
    HttpServer made =
        loop.createHttpServer(Sockets.http(listener, bounds, connections))
            .connectionHandler(this::connected)
            .requestHandler(handler);
    timeouts.start(loop, bounds.idle());
    server = made;
    return made.listen(port, listener.host()).map(HttpServer::actualPort);
  }

  private void connected(HttpConnection connection) {
    if (HttpBudget.enter(connection)) {
      timeouts.opened(connection);
      connection.closeHandler(closed -> timeouts.closed(connection));
    } else {
      connection.close().onFailure(already -> {});
    }
  }

  /**
   * Counts a request that has come.
   *
   * @param staysOpen whether it is a stream without an answer to wait for
   * @return false if there is no room for it, and then it is refused
   */
  boolean accept(HttpServerRequest request, boolean staysOpen) {
    connections.counters().request();
    if (request.version() == HttpVersion.HTTP_2) {
      ConnectionBudget.Request stream = HttpBudget.holder(request);
      if (stream == null) {
        connections.counters().rejected(RejectionCause.OVERLOAD);
        request.response().reset(HttpBudget.TOO_MUCH).onFailure(gone -> {});
        return false;
      }
      if (staysOpen) {
        stream.settle();
      }
    }
    timeouts.began(request, () -> {});
    return true;
  }

  void send(HttpServerRequest request, int status, String type, String body) {
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

  Future<Void> drain(Duration within) {
    HttpServer running = server;
    return running == null
        ? Future.succeededFuture()
        : running.shutdown(within.toMillis(), TimeUnit.MILLISECONDS);
  }

  Future<Void> reloadCertificates(ServerSSLOptions certificates) {
    HttpServer running = server;
    return running == null
        ? Future.succeededFuture()
        : running.updateSSLOptions(certificates, true).mapEmpty();
  }
}
