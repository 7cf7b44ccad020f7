package dev.stint.server.rls;

import dev.stint.rls.RateLimitRequest;
import dev.stint.rls.RateLimitResponse;
import dev.stint.server.config.Bounds;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.ConnectionBudget;
import dev.stint.server.net.Connections;
import dev.stint.server.net.FairTurns;
import dev.stint.server.net.HttpBudget;
import dev.stint.server.net.IdleTimeouts;
import dev.stint.server.net.InternalErrors;
import dev.stint.server.net.LargeRequestWorker;
import dev.stint.server.net.Permissions;
import dev.stint.server.net.RejectionCause;
import dev.stint.server.net.Sockets;
import dev.stint.server.net.TokenAuth;
import dev.stint.server.net.Wire;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.server.GrpcProtocol;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Envoy's rate limit service over gRPC, with gRPC's own health and reflection. */
public final class GrpcWire implements Wire {

  /** Bytes of a descriptor's status in an answer, at most. */
  private static final long MOST_STATUS = 100;

  /** Requests of more descriptors than this are decided by the worker. */
  private static final int LARGE = 64;

  private static final String SERVICE = "envoy.service.ratelimit.v3.RateLimitService";

  /** Tells a client that nothing was done, and that it may try again. */
  private static final long REFUSED_STREAM = 0x7;

  private final RlsDecider decider;
  private final Listener listener;
  private final Bounds bounds;
  private final TokenAuth auth;
  private final Connections connections;
  private final LargeRequestWorker worker;
  private final Health health = new Health();
  private final IdleTimeouts timeouts;
  private final IdentityHashMap<HttpConnection, CallsInProgress> calls = new IdentityHashMap<>();
  private @Nullable Running running;

  private record Running(Context context, HttpServer server) {}

  /**
   * A wire on the port for gRPC.
   *
   * @param worker decides what would hold the event loop for long
   */
  public GrpcWire(
      Engine engine,
      Configuration configuration,
      TokenAuth auth,
      Connections connections,
      LargeRequestWorker worker) {
    this.decider = new RlsDecider(engine, configuration.bounds());
    this.listener = configuration.listeners().grpc();
    this.bounds = configuration.bounds();
    this.auth = auth;
    this.connections = connections;
    this.timeouts = new IdleTimeouts(connections.counters());
    this.worker = worker;
  }

  @Override
  public Future<Integer> listen(Vertx vertx, int port) {
    Context context = vertx.getOrCreateContext();
    FairTurns turns = new FairTurns(context);
    GrpcCalls methods = methods(vertx, context, turns);
    HttpServer server =
        vertx
            .createHttpServer(Sockets.grpc(listener, bounds, connections))
            .connectionHandler(connection -> connected(connection, turns))
            .requestHandler(request -> requested(request, methods));
    timeouts.start(vertx, bounds.idle());
    running = new Running(context, server);
    return server.listen(port, listener.host()).map(HttpServer::actualPort);
  }

  /** A call whose bytes are counted; null if there is no room for it, and then it is refused. */
  private @Nullable Metered metered(HttpServerRequest request) {
    long mostAnswer = bounds.descriptors() * MOST_STATUS;
    if (request.version() != HttpVersion.HTTP_2) {
      return new Metered(request, HttpBudget.of(request.connection()), mostAnswer);
    }
    ConnectionBudget.Request stream = HttpBudget.holder(request);
    String path = String.valueOf(request.path());
    boolean reflects = path.startsWith(Reflection.PATH);
    if (stream == null || (reflects && !stream.hold(Reflection.MOST_ANSWER))) {
      request.response().reset(HttpBudget.TOO_MUCH).onFailure(GrpcCalls::ignore);
      return null;
    }
    if (path.equals(Health.WATCH)) {
      stream.settle();
    }
    return new Metered(request, stream, mostAnswer);
  }

  private void requested(HttpServerRequest request, GrpcCalls methods) {
    connections.counters().request();
    CallsInProgress ofConnection = calls.get(request.connection());
    CallsInProgress.Call call = ofConnection == null ? null : ofConnection.begin();
    if (call == null) {
      connections.counters().rejected(RejectionCause.OVERLOAD);
      request.response().reset(REFUSED_STREAM).onFailure(GrpcCalls::ignore);
      return;
    }
    Metered metered = metered(request);
    if (metered == null) {
      connections.counters().rejected(RejectionCause.OVERLOAD);
      call.streamClosed();
      return;
    }
    timeouts.began(
        request,
        () -> {
          metered.over();
          call.streamClosed();
          if (!call.isAnswered()) {
            GrpcRejections.count(request.response(), connections.counters());
          }
        });
    methods.handle(metered, call);
  }

  private GrpcCalls methods(Vertx vertx, Context context, FairTurns turns) {
    GrpcServer server =
        GrpcServer.server(
            vertx,
            new GrpcServerOptions()
                .setMaxMessageSize(bounds.body())
                .removeEnabledProtocol(GrpcProtocol.WEB)
                .removeEnabledProtocol(GrpcProtocol.WEB_TEXT)
                .removeEnabledProtocol(GrpcProtocol.TRANSCODING));
    GrpcCalls calls = new GrpcCalls(server, auth, bounds.body());
    calls.guarded(
        SERVICE,
        "ShouldRateLimit",
        RateLimitRequest.parser(),
        (RateLimitRequest request,
            GrpcServerRequest<RateLimitRequest, RateLimitResponse> call,
            CallsInProgress.Call inProgress,
            Permissions permissions) -> {
          GrpcCalls.close(call);
          inProgress.working();
          turns.run(
              call.connection(),
              () -> decide(context, request, permissions, call.response(), inProgress));
        });
    health.register(calls);
    new Reflection().register(calls);
    return calls;
  }

  private void connected(HttpConnection connection, FairTurns turns) {
    if (HttpBudget.enter(connection)) {
      timeouts.opened(connection);
      calls.put(connection, new CallsInProgress(Sockets.MOST_STREAMS));
      connection.closeHandler(
          closed -> {
            timeouts.closed(connection);
            turns.drop(connection);
            CallsInProgress gone = calls.remove(connection);
            if (gone != null) {
              worker.drop(gone);
            }
          });
    } else {
      connection.close().onFailure(GrpcCalls::ignore);
    }
  }

  private void decide(
      Context context,
      RateLimitRequest request,
      Permissions permissions,
      GrpcServerResponse<RateLimitRequest, RateLimitResponse> response,
      CallsInProgress.Call inProgress) {
    if (!inProgress.isStreamOpen()) { // reset before its turn came: nothing is charged
      inProgress.worked();
      return;
    }
    CompletableFuture<RateLimitResponse> decision =
        request.getDescriptorsCount() > LARGE
            ? worker.call(
                inProgress.ofConnection(),
                () -> decideUnlessReset(request, permissions, inProgress))
            : decide(request, permissions);
    if (decision.isDone() && !decision.isCompletedExceptionally()) {
      decided(response, inProgress, decision.join(), null);
    } else if (decision.isDone()) {
      CompletableFuture<RateLimitResponse> unused =
          decision.whenComplete(
              (answer, failure) -> decided(response, inProgress, answer, failure));
    } else { // it is answered on another thread; connections belong to ours
      Future.fromCompletionStage(decision, context)
          .onComplete((answer, failure) -> decided(response, inProgress, answer, failure));
    }
  }

  /** Decides when its turn has come. If it was reset before, nothing is charged. */
  private CompletableFuture<RateLimitResponse> decideUnlessReset(
      RateLimitRequest request, Permissions permissions, CallsInProgress.Call inProgress) {
    return inProgress.isStreamOpen()
        ? decide(request, permissions)
        : CompletableFuture.failedFuture(new CancellationException());
  }

  private CompletableFuture<RateLimitResponse> decide(
      RateLimitRequest request, Permissions permissions) {
    try {
      return decider.decide(request, permissions);
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static void decided(
      GrpcServerResponse<RateLimitRequest, RateLimitResponse> response,
      CallsInProgress.Call inProgress,
      @Nullable RateLimitResponse answer,
      @Nullable Throwable failure) {
    inProgress.worked();
    if (!inProgress.isStreamOpen()) { // the library fails on trailers for a stream that was reset
      return;
    }
    if (answer != null) {
      inProgress.answered();
      try {
        response.end(answer).onFailure(GrpcCalls::ignore);
      } catch (IllegalStateException e) { // the caller has cancelled: Envoy does not wait for long
        GrpcCalls.ignore(e);
      }
      return;
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof BadRequest bad) {
      GrpcCalls.fail(response, GrpcStatus.INVALID_ARGUMENT, bad.sentence());
    } else if (cause instanceof NotPermitted denied) {
      GrpcCalls.fail(response, GrpcStatus.PERMISSION_DENIED, denied.sentence());
    } else { // a defect of ours
      InternalErrors.log("grpc", cause == null ? new IllegalStateException("no decision") : cause);
      GrpcCalls.fail(response, GrpcStatus.INTERNAL, InternalErrors.SENTENCE);
    }
  }

  @Override
  public void unready() {
    Running open = running;
    if (open != null) {
      open.context.runOnContext(here -> health.unready());
    }
  }

  @Override
  public Future<Void> drain(Duration within) {
    Running open = running;
    if (open == null) {
      return Future.succeededFuture();
    }
    Promise<Void> done = Promise.promise();
    open.context.runOnContext(
        here -> {
          health.drain();
          open.server.shutdown(within.toMillis(), TimeUnit.MILLISECONDS).onComplete(done);
        });
    return done.future();
  }

  @Override
  public Future<Void> reloadCertificates(ServerSSLOptions certificates) {
    Running open = running;
    return open == null
        ? Future.succeededFuture()
        : open.server.updateSSLOptions(certificates, true).mapEmpty();
  }
}
