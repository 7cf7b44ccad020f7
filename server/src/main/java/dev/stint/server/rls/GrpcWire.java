package dev.stint.server.rls;

import dev.stint.rls.RateLimitRequest;
import dev.stint.rls.RateLimitResponse;
import dev.stint.server.config.Bounds;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Tls;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.Connections;
import dev.stint.server.net.Gate;
import dev.stint.server.net.InternalErrors;
import dev.stint.server.net.Patience;
import dev.stint.server.net.Room;
import dev.stint.server.net.Sockets;
import dev.stint.server.net.Wire;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcProtocol;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Envoy's rate limit service over gRPC, with gRPC's own health and reflection. */
public final class GrpcWire implements Wire {

  private static final String SERVICE = "envoy.service.ratelimit.v3.RateLimitService";

  /** How many calls a connection may have open: a client with more waits, or opens another. */
  private static final int MOST_STREAMS = 256;

  private final RlsDecider decider;
  private final Listener listener;
  private final Bounds bounds;
  private final Gate gate;
  private final Connections connections;
  private final Health health = new Health();
  private final Patience patience = new Patience();
  private final Room room;
  private @Nullable Running running;

  private record Running(Context context, HttpServer server) {}

  /** A wire on the port for gRPC. */
  public GrpcWire(Engine engine, Configuration configuration, Gate gate, Connections connections) {
    this.decider = new RlsDecider(engine, configuration.bounds());
    this.listener = configuration.listeners().grpc();
    this.bounds = configuration.bounds();
    this.gate = gate;
    this.connections = connections;
    this.room = new Room(bounds.body());
  }

  @Override
  public Future<Integer> listen(Vertx vertx, int port) {
    Context context = vertx.getOrCreateContext();
    GrpcServer methods = methods(vertx, context);
    HttpServer server =
        vertx
            .createHttpServer(options())
            .connectionHandler(this::connected)
            .requestHandler(
                request -> {
                  Metered metered = new Metered(request, room);
                  patience.began(request, metered::over);
                  methods.handle(metered);
                });
    patience.watch(vertx, bounds.idle());
    running = new Running(context, server);
    return server.listen(port, listener.host()).map(HttpServer::actualPort);
  }

  private HttpServerOptions options() {
    HttpServerOptions options = Sockets.http(listener, bounds);
    options.getInitialSettings().setMaxConcurrentStreams(MOST_STREAMS);
    return options;
  }

  private GrpcServer methods(Vertx vertx, Context context) {
    GrpcServer server =
        GrpcServer.server(
            vertx,
            new GrpcServerOptions()
                .setMaxMessageSize(bounds.body())
                .removeEnabledProtocol(GrpcProtocol.WEB)
                .removeEnabledProtocol(GrpcProtocol.WEB_TEXT)
                .removeEnabledProtocol(GrpcProtocol.TRANSCODING));
    GrpcCalls calls = new GrpcCalls(server, gate, bounds.body());
    calls.guarded(
        SERVICE,
        "ShouldRateLimit",
        RateLimitRequest.parser(),
        (RateLimitRequest request, GrpcServerRequest<RateLimitRequest, RateLimitResponse> call) -> {
          GrpcCalls.close(call);
          decide(context, request, call.response());
        });
    health.register(calls);
    new Reflection().register(calls);
    return server;
  }

  private void connected(HttpConnection connection) {
    if (connections.enter()) {
      patience.entered(connection);
      connection.closeHandler(
          closed -> {
            patience.left(connection);
            connections.leave();
          });
    } else {
      connection.close().onFailure(GrpcCalls::ignore);
    }
  }

  private void decide(
      Context context,
      RateLimitRequest request,
      GrpcServerResponse<RateLimitRequest, RateLimitResponse> response) {
    CompletableFuture<RateLimitResponse> decision;
    try {
      decision = decider.decide(request);
    } catch (BadRequest e) {
      GrpcCalls.fail(response, GrpcStatus.INVALID_ARGUMENT, e.sentence());
      return;
    }
    RateLimitResponse now = decision.isCompletedExceptionally() ? null : decision.getNow(null);
    if (now != null) {
      send(response, now, null);
    } else { // the store answers on its own thread; connections belong to ours
      Future.fromCompletionStage(decision, context)
          .onComplete((answer, failure) -> send(response, answer, failure));
    }
  }

  private static void send(
      GrpcServerResponse<RateLimitRequest, RateLimitResponse> response,
      @Nullable RateLimitResponse answer,
      @Nullable Throwable failure) {
    if (answer == null) {
      InternalErrors.log(
          "grpc", failure == null ? new IllegalStateException("no decision") : failure);
      GrpcCalls.fail(response, GrpcStatus.INTERNAL, InternalErrors.SENTENCE);
    } else {
      try {
        response.end(answer).onFailure(GrpcCalls::ignore);
      } catch (IllegalStateException e) { // the caller has cancelled: Envoy does not wait for long
        GrpcCalls.ignore(e);
      }
    }
  }

  @Override
  public Future<Void> drain() {
    Running open = running;
    if (open == null) {
      return Future.succeededFuture();
    }
    Promise<Void> done = Promise.promise();
    open.context.runOnContext(
        here -> {
          health.drain();
          open.server.shutdown(bounds.drain().toMillis(), TimeUnit.MILLISECONDS).onComplete(done);
        });
    return done.future();
  }

  @Override
  public Future<Void> reloadCertificates() {
    Running open = running;
    Tls tls = listener.tls();
    return open == null || tls == null
        ? Future.succeededFuture()
        : open.server.updateSSLOptions(Sockets.encryption(tls), true).mapEmpty();
  }
}
