package dev.stint.server.rls;

import dev.stint.server.net.RejectionCause;
import dev.stint.server.net.WireCounters;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.grpc.common.GrpcHeaderNames;
import org.jspecify.annotations.Nullable;

/** Counts calls that were rejected, by the status that they ended with. */
final class GrpcRejections {

  private static final int OK = 200;

  private GrpcRejections() {}

  /** Counts a call that has ended. */
  static void count(HttpServerResponse response, WireCounters counters) {
    if (response.getStatusCode() != OK) { // it was no gRPC
      counters.answered(response.getStatusCode());
      return;
    }
    String status = response.trailers().get(GrpcHeaderNames.GRPC_STATUS);
    if (status == null) { // without a message, the status is among the headers
      status = response.headers().get(GrpcHeaderNames.GRPC_STATUS);
    }
    RejectionCause cause = status == null ? null : cause(status);
    if (cause != null) {
      counters.rejected(cause);
    }
  }

  private static @Nullable RejectionCause cause(String status) {
    return switch (status) {
      case "0" -> null;
      case "5", "12" -> RejectionCause.NOT_FOUND;
      case "7" -> RejectionCause.FORBIDDEN;
      case "8" -> RejectionCause.TOO_LARGE;
      case "13" -> RejectionCause.INTERNAL_ERROR;
      case "14" -> RejectionCause.OVERLOAD;
      case "16" -> RejectionCause.UNAUTHENTICATED;
      default -> RejectionCause.MALFORMED;
    };
  }
}
