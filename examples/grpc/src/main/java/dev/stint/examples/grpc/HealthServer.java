package dev.stint.examples.grpc;

import dev.stint.grpc.RateLimitInterceptor;
import dev.stint.http.HttpLimiter;
import dev.stint.http.Rule;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;

/** A server that may be asked for its health five times a minute. */
public final class HealthServer {

  private HealthServer() {}

  /** Starts it on the port that is given, 8080 if none is. */
  public static void main(String[] args) throws Exception {
    Server server = start(args.length == 0 ? 8080 : Integer.parseInt(args[0]));
    System.out.println("Listening on port " + server.getPort());
    server.awaitTermination();
  }

  static Server start(int port) throws IOException {
    HttpLimiter limiter =
        HttpLimiter.of(Rule.of("health", "5/minute").on("/grpc.health.v1.Health/*"));
    return ServerBuilder.forPort(port)
        .addService(new HealthStatusManager().getHealthService())
        .intercept(new RateLimitInterceptor(limiter))
        .build()
        .start();
  }
}
