package dev.stint.server.http;

import dev.stint.Spelling;
import dev.stint.server.config.Bounds;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Permission;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.Caller;
import dev.stint.server.net.Connections;
import dev.stint.server.net.CrossSite;
import dev.stint.server.net.FairTurns;
import dev.stint.server.net.Holder;
import dev.stint.server.net.HttpBudget;
import dev.stint.server.net.IdleTimeouts;
import dev.stint.server.net.JsonContent;
import dev.stint.server.net.LargeRequestWorker;
import dev.stint.server.net.Readiness;
import dev.stint.server.net.RejectionCause;
import dev.stint.server.net.Sockets;
import dev.stint.server.net.TokenAuth;
import dev.stint.server.net.Wire;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The JSON API and the simple check over HTTP. */
public final class HttpWire implements Wire {

  private static final byte[] NO_BODY = {};

  private final Engine engine;
  private final Listener listener;
  private final Bounds bounds;
  private final TokenAuth auth;
  private final Connections connections;
  private final Readiness readiness;
  private final JsonRls envoy;
  private final LargeRequestWorker worker;

  private final IdentityHashMap<HttpConnection, Client> clients = new IdentityHashMap<>();
  private final JsonBytes out = new JsonBytes();
  private final Bodies bodies;
  private final IdleTimeouts timeouts;
  private @Nullable Vertx vertx;
  private @Nullable HttpServer server;
  private @Nullable Operations operations;
  private @Nullable FairTurns turns;

  /**
   * A wire over {@code engine}.
   *
   * @param envoy answers {@code POST /json}
   * @param worker does what would hold the event loop for long
   */
  public HttpWire(
      Engine engine,
      Configuration configuration,
      TokenAuth auth,
      Connections connections,
      Readiness readiness,
      JsonRls envoy,
      LargeRequestWorker worker) {
    this.engine = engine;
    this.listener = configuration.listeners().http();
    this.bounds = configuration.bounds();
    this.auth = auth;
    this.connections = connections;
    this.readiness = readiness;
    this.envoy = envoy;
    this.worker = worker;
    this.bodies = new Bodies(bounds, connections.counters());
    this.timeouts = new IdleTimeouts(connections.counters());
  }

  // ---- the port --------------------------------------------------------------------------------

  @Override
  public Future<Integer> listen(Vertx vertx, int port) {
    this.vertx = vertx;
    FairTurns fair = new FairTurns(vertx.getOrCreateContext());
    this.turns = fair;
    HttpServer made = vertx.createHttpServer(Sockets.http(listener, bounds, connections));
    this.server = made;
    made.connectionHandler(connection -> connected(vertx, connection))
        .requestHandler(this::requested)
        .invalidRequestHandler(this::invalid);
    return made.listen(port, listener.host())
        .map(
            open -> {
              String scheme = listener.tls() == null ? "http" : "https";
              Documents documents = new Documents(scheme + "://localhost:" + open.actualPort());
              operations =
                  new Operations(
                      engine,
                      bounds,
                      vertx.getOrCreateContext(),
                      worker,
                      documents,
                      readiness,
                      envoy);
              timeouts.start(vertx, bounds.idle());
              return open.actualPort();
            });
  }

  @Override
  public Future<Void> drain(Duration within) {
    if (server == null || vertx == null) {
      return Future.succeededFuture();
    }
    timeouts.stop(vertx);
    return server.shutdown(within.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public Future<Void> reloadCertificates(ServerSSLOptions certificates) {
    return server == null
        ? Future.succeededFuture()
        : server.updateSSLOptions(certificates, true).mapEmpty();
  }

  // ---- connections -----------------------------------------------------------------------------

  private void connected(Vertx vertx, HttpConnection connection) {
    if (!HttpBudget.enter(connection)) {
      Future<Void> unused = connection.close();
      return;
    }
    Client client = new Client(vertx, connection, timeouts.opened(connection));
    clients.put(connection, client);
    connection.closeHandler(
        closed -> {
          clients.remove(connection);
          timeouts.closed(connection);
          client.gone();
          FairTurns fair = turns;
          if (fair != null) {
            fair.drop(connection);
          }
        });
  }

  // ---- requests --------------------------------------------------------------------------------

  private void requested(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (response.writeQueueFull()) { // who does not read answers gets no more of them
      request.pause();
      response.drainHandler(
          drained -> {
            response.drainHandler(null);
            request.resume();
            requested(request);
          });
      return;
    }
    connections.counters().request();
    Client client = clients.get(request.connection());
    Operations ready = operations;
    FairTurns fair = turns;
    if (client == null || ready == null || fair == null) { // it came too late, or too early
      Future<Void> unused = request.connection().close();
      return;
    }
    Holder holder = client.holder(request);
    if (holder == null) {
      connections.counters().rejected(RejectionCause.OVERLOAD);
      Future<Void> unused = response.reset(HttpBudget.TOO_MUCH);
      return;
    }
    client.requested();
    Caller caller = auth.caller(request.getHeader(HttpHeaders.AUTHORIZATION));
    Exchange exchange = new Exchange(request, caller, client, bodies, holder, out, timeouts.now());
    Route route = Route.of(request.path());
    Problem problem = problem(request, caller, route);
    if (problem != null || route == null) {
      exchange.refuseUnread(problem == null ? unknown(request) : problem);
    } else if (route.takesBody()) {
      exchange.read(
          (read, body) -> fair.run(request.connection(), () -> ready.run(route, read, body)));
    } else {
      fair.run(request.connection(), () -> ready.run(route, exchange, NO_BODY));
    }
  }

  private @Nullable Problem problem(
      HttpServerRequest request, Caller caller, @Nullable Route route) {
    if (route != null && route.isRefusedToPages() && CrossSite.isMarked(request)) {
      return new Problem(403, CrossSite.SENTENCE);
    }
    if (!caller.isKnown() && (route == null || !route.isOpen())) {
      request.response().putHeader("WWW-Authenticate", "Bearer realm=\"stint\"");
      return new Problem(
          401,
          "a client must send its token, sent none that is known; add Authorization: Bearer and"
              + " the token");
    }
    if (route == null) {
      return unknown(request);
    }
    if (!route.allows(request.method())) {
      request.response().putHeader(HttpHeaders.ALLOW, route.allowed());
      return new Problem(
          405,
          route.path() + " must be asked by " + route.allowed() + ", was by " + request.method());
    }
    Permission needed = route.needs();
    Caller.Denial denial = needed == null ? null : caller.denial(needed, request);
    if (denial != null) {
      return new Problem(403, denial.sentence());
    }
    if (bodies.exceeds(request)) {
      return bodies.tooLarge();
    }
    return route.takesBody() ? wrongType(request) : null;
  }

  private static Problem unknown(HttpServerRequest request) {
    String path = String.valueOf(request.path());
    return new Problem(
        404,
        "there is nothing at this path"
            + Spelling.hint(path, Route.paths(), "; /openapi.json lists what there is"));
  }

  private static @Nullable Problem wrongType(HttpServerRequest request) {
    return JsonContent.isSentIn(request) ? null : new Problem(415, JsonContent.cure(request));
  }

  /** What is no HTTP, or too much of it. */
  private void invalid(HttpServerRequest request) {
    if (!HttpBudget.isOpen(request.connection())) {
      return; // the beginning of a request whose connection was closed before the rest came
    }
    Throwable cause = request.decoderResult().cause();
    Problem problem;
    if (cause instanceof TooLongHttpLineException) {
      problem = tooLong(414, "the first line");
    } else if (cause instanceof TooLongHttpHeaderException) {
      problem = tooLong(431, "the headers");
    } else {
      problem =
          new Problem(400, "a request must be HTTP/1.1 or HTTP/2, was neither; mend the client");
    }
    connections.counters().request();
    connections.counters().answered(problem.status());
    HttpServerResponse response = request.response();
    response.setStatusCode(problem.status());
    response.putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json");
    response.putHeader(HttpHeaders.CONNECTION, "close");
    Future<Void> unused =
        response
            .end(problem.write(out.clear()).toBuffer())
            .eventually(() -> request.connection().close());
  }

  private Problem tooLong(int status, String what) {
    return new Problem(
        status,
        what
            + " must have at most "
            + bounds.headers()
            + " bytes, had more; send less, or raise bounds.headers");
  }
}
