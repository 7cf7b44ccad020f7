package dev.stint.benchmarks.server;

import dev.stint.rls.RateLimitRequest;
import dev.stint.rls.RateLimitResponse;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The floors: the service's library with the service's options, answering every request with the
 * same. What the service adds to them is its own.
 */
public final class FloorProgram {

  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

  private FloorProgram() {}

  /** Bytes as an argument of this program. */
  static String argument(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Starts both servers and prints their ports. */
  public static void main(String[] args) throws Exception {
    Buffer body = Buffer.buffer(Base64.getDecoder().decode(args[0]));
    RateLimitResponse message = RateLimitResponse.parseFrom(Base64.getDecoder().decode(args[1]));
    // As in the service.
    int loops = Runtime.getRuntime().availableProcessors();
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(loops)
                .setWorkerPoolSize(2)
                .setInternalBlockingPoolSize(2)
                .setPreferNativeTransport(true));
    listen(vertx, loops, "http", -1, () -> http(body));
    listen(vertx, loops, "grpc", -2, () -> grpc(vertx, message));
  }

  /**
   * One server on each event loop, all on one free port.
   *
   * @param shared a negative number: servers of one number share a port
   */
  private static void listen(
      Vertx vertx,
      int loops,
      String wire,
      int shared,
      Supplier<Handler<HttpServerRequest>> handlers)
      throws Exception {
    HttpServerOptions options = options().setPort(shared);
    Integer[] port = new Integer[1];
    String unused =
        vertx
            .deployVerticle(
                () ->
                    new VerticleBase() {
                      @Override
                      public Future<?> start() {
                        return this.vertx
                            .createHttpServer(options)
                            .requestHandler(handlers.get())
                            .listen()
                            .onSuccess(server -> port[0] = server.actualPort());
                      }
                    },
                new DeploymentOptions()
                    .setThreadingModel(ThreadingModel.EVENT_LOOP)
                    .setInstances(loops))
            .toCompletionStage()
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS);
    System.out.println(wire + " " + port[0]);
  }

  /** As in the service. */
  private static HttpServerOptions options() {
    HttpServerOptions options = new HttpServerOptions();
    options
        .setHost("127.0.0.1")
        .setIdleTimeout(60_000)
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setReuseAddress(true)
        .setTcpNoDelay(true);
    options.setMaxHeaderSize(8 << 10).setMaxInitialLineLength(8 << 10);
    options.getInitialSettings().setMaxHeaderListSize(8 << 10);
    return options;
  }

  private static Handler<HttpServerRequest> http(Buffer body) {
    return request -> {
      request.handler(chunk -> {});
      request.endHandler(
          end -> {
            request.response().putHeader(HttpHeaders.CONTENT_TYPE, JSON);
            Future<Void> unused = request.response().end(body);
          });
    };
  }

  private static GrpcServer grpc(Vertx vertx, RateLimitResponse message) {
    int dot = GrpcTalk.SERVICE.lastIndexOf('.');
    ServiceMethod<RateLimitRequest, RateLimitResponse> method =
        ServiceMethod.server(
            ServiceName.create(
                GrpcTalk.SERVICE.substring(0, dot), GrpcTalk.SERVICE.substring(dot + 1)),
            GrpcTalk.METHOD,
            GrpcMessageEncoder.encoder(),
            GrpcMessageDecoder.decoder(RateLimitRequest.getDefaultInstance()));
    return GrpcServer.server(vertx)
        .callHandler(
            method,
            call ->
                call.handler(
                    request -> {
                      Future<Void> unused = call.response().end(message);
                    }));
  }

  /** What the service could answer, where there is none to be asked. */
  static byte[] likelyMessage() {
    RateLimitResponse.Builder message =
        RateLimitResponse.newBuilder().setOverallCode(RateLimitResponse.Code.OK);
    message
        .addStatusesBuilder()
        .setCode(RateLimitResponse.Code.OK)
        .setLimitRemaining(999)
        .getCurrentLimitBuilder()
        .setRequestsPerUnit(1000)
        .setUnit(RateLimitResponse.RateLimit.Unit.MINUTE);
    return message.build().toByteArray();
  }
}
