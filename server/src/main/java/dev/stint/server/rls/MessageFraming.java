package dev.stint.server.rls;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.internal.http.HttpServerRequestWrapper;
import io.vertx.grpc.common.GrpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Checks the five bytes before each message of a call, and that the last message is complete. The
 * library behind it throws on a compressed message without an encoding, takes any other first byte
 * for "not compressed", and ignores an incomplete message.
 */
final class MessageFraming extends HttpServerRequestWrapper {

  private static final int PREFIX = 5;
  private static final int PLAIN = 0;
  private static final int COMPRESSED = 1;

  private final HttpServerResponse response;
  private int prefixBytes;
  private long length;
  private long left;
  private boolean refused;

  MessageFraming(HttpServerRequest request) {
    super((HttpServerRequestInternal) request);
    this.response = request.response();
  }

  @Override
  public HttpServerRequest handler(@Nullable Handler<Buffer> handler) {
    return super.handler(handler == null ? null : chunk -> received(chunk, handler));
  }

  @Override
  public HttpServerRequest endHandler(@Nullable Handler<Void> handler) {
    return super.endHandler(handler == null ? null : end -> ended(handler));
  }

  private void received(Buffer chunk, Handler<Buffer> handler) {
    if (refused) {
      return;
    }
    int flag = firstBadFlag(chunk);
    if (flag < 0) {
      handler.handle(chunk);
    } else if (flag == COMPRESSED) {
      refuse(GrpcStatus.UNIMPLEMENTED, "a message must not be compressed");
    } else {
      refuse(
          GrpcStatus.INVALID_ARGUMENT,
          "a message must begin with the byte 0, for not compressed: " + flag);
    }
  }

  private void ended(Handler<Void> handler) {
    if (refused) {
      return;
    }
    if (prefixBytes > 0 || left > 0) {
      refuse(GrpcStatus.INVALID_ARGUMENT, "a message must be complete, the last one was not");
    } else {
      handler.handle(null);
    }
  }

  /** The first byte of a message in this chunk that is not 0; negative if there is none. */
  private int firstBadFlag(Buffer chunk) {
    int at = 0;
    int size = chunk.length();
    while (at < size) {
      if (left > 0) {
        int skipped = (int) Math.min(left, size - at);
        left -= skipped;
        at += skipped;
        continue;
      }
      int next = chunk.getByte(at++) & 0xff;
      if (prefixBytes == 0) {
        if (next != PLAIN) {
          return next;
        }
        length = 0;
      } else {
        length = length << 8 | next;
      }
      prefixBytes++;
      if (prefixBytes == PREFIX) {
        prefixBytes = 0;
        left = length;
      }
    }
    return -1;
  }

  /** Past the library, which does not know of it: it hears nothing of this call any more. */
  private void refuse(GrpcStatus status, String sentence) {
    refused = true;
    GrpcStatusText.end(response, status, sentence);
  }
}
