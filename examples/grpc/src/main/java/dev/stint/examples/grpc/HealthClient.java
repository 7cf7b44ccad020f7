package dev.stint.examples.grpc;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.health.v1.HealthGrpc.HealthBlockingStub;
import java.time.Duration;

/** Asks for the server's health until it is told to wait. */
public final class HealthClient {

  private static final Metadata.Key<String> RETRY_AFTER =
      Metadata.Key.of("retry-after", Metadata.ASCII_STRING_MARSHALLER);

  private HealthClient() {}

  /** Asks the server on the port that is given, 8080 if none is. */
  public static void main(String[] args) {
    Duration wait = askUntilRefused(args.length == 0 ? 8080 : Integer.parseInt(args[0]));
    System.out.println("refused; may come back in " + wait.toSeconds() + " s");
  }

  static Duration askUntilRefused(int port) {
    ManagedChannel channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    HealthBlockingStub server = HealthGrpc.newBlockingStub(channel);
    try {
      while (true) {
        System.out.println(server.check(HealthCheckRequest.getDefaultInstance()).getStatus());
      }
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() != Status.Code.RESOURCE_EXHAUSTED) {
        throw e;
      }
      return Duration.ofSeconds(Long.parseLong(e.getTrailers().get(RETRY_AFTER)));
    } finally {
      channel.shutdownNow();
    }
  }
}
