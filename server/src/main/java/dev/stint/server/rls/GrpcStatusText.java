package dev.stint.server.rls;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.grpc.common.GrpcHeaderNames;
import io.vertx.grpc.common.GrpcStatus;
import java.nio.charset.StandardCharsets;

/**
 * The status of a call as header fields.
 *
 * <p>A message is percent-encoded as gRPC's specification says: only {@code %} and what is no
 * printable ASCII. The library encodes as for a URL, and grpc-js does not decode a {@code %3A}.
 */
final class GrpcStatusText {

  private static final CharSequence GRPC = HttpHeaders.createOptimized("application/grpc");
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

  private GrpcStatusText() {}

  static String encode(String message) {
    byte[] utf8 = message.getBytes(StandardCharsets.UTF_8);
    StringBuilder text = new StringBuilder(utf8.length);
    for (byte b : utf8) {
      if (b >= ' ' && b <= '~' && b != '%') {
        text.append((char) b);
      } else {
        text.append('%').append((char) HEX[b >> 4 & 0xf]).append((char) HEX[b & 0xf]);
      }
    }
    return text.toString();
  }

  /** Ends a call of which the library is to hear nothing more. */
  static void end(HttpServerResponse response, GrpcStatus status, String sentence) {
    if (response.ended() || response.closed()) {
      return;
    }
    MultiMap fields;
    if (response.headWritten()) {
      fields = response.trailers();
    } else {
      fields = response.headers();
      fields.set(HttpHeaders.CONTENT_TYPE, GRPC);
    }
    fields.set(GrpcHeaderNames.GRPC_STATUS, status.toString());
    fields.set(GrpcHeaderNames.GRPC_MESSAGE, encode(sentence));
    response.end().onFailure(GrpcCalls::ignore);
  }
}
