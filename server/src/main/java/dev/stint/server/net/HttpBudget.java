package dev.stint.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.vertx.core.Future;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The {@link ConnectionBudget} of connections that speak HTTP. */
public final class HttpBudget {

  /** What a client is told whose stream there is no room for: {@code ENHANCE_YOUR_CALM}. */
  public static final long TOO_MUCH = 0xb;

  private static final int SMALL = 4 << 10;

  private HttpBudget() {}

  /**
   * A connection was made: counts its requests from now on.
   *
   * @return false if there is no room for it, and then it must be closed
   */
  public static boolean enter(HttpConnection connection) {
    ChannelHandlerContext context = contextOf(connection);
    ConnectionBudget budget = ConnectionBudget.of(context.channel());
    if (context.handler() instanceof Http2ConnectionHandler http2) {
      budget.head().isOtherProtocol();
      budget.streams(new Http2Guard(budget, http2.connection()));
      if (budget.hold(ConnectionCost.HTTP2)) {
        return true;
      }
      budget.rejected(RejectionCause.MEMORY);
      return false;
    }
    context.pipeline().addBefore(context.name(), "http1-guard", new Http1Guard(budget));
    Http1Drain.install(context);
    return true;
  }

  /** The budget of a connection. */
  public static ConnectionBudget of(HttpConnection connection) {
    return ConnectionBudget.of(contextOf(connection).channel());
  }

  /**
   * Whether the socket takes more. A response that was written in one large piece is not in the
   * queue that Vert.x looks at.
   */
  public static boolean isWritable(HttpConnection connection) {
    return contextOf(connection).channel().isWritable();
  }

  /** Whether a connection is still open. */
  public static boolean isOpen(HttpConnection connection) {
    return contextOf(connection).channel().isActive();
  }

  /** Closes a connection at once, without sending what waits to be sent. */
  public static void closeNow(HttpConnection connection) {
    Channel channel = contextOf(connection).channel();
    channel.eventLoop().execute(() -> channel.unsafe().close(channel.voidPromise()));
  }

  private static ChannelHandlerContext contextOf(HttpConnection connection) {
    return ((HttpServerConnection) connection).channelHandlerContext();
  }

  /**
   * The budget of an HTTP/2 request, with its headers counted.
   *
   * @return null if there is no room for it
   */
  public static ConnectionBudget.@Nullable Request holder(HttpServerRequest request) {
    ConnectionBudget.Request stream = stream(request);
    return stream == null || !stream.hold(sizeOf(request)) ? null : stream;
  }

  private static ConnectionBudget.@Nullable Request stream(HttpServerRequest request) {
    Http2Guard streams = of(request.connection()).streams();
    return streams == null ? null : streams.find(request.streamId());
  }

  /**
   * Sends an answer that is counted until the client has taken it.
   *
   * @param end sends it
   * @return false if there is no room for it, and then it is not sent
   */
  public static boolean send(HttpServerRequest request, long bytes, Supplier<Future<Void>> end) {
    if (request.version() == HttpVersion.HTTP_2) {
      ConnectionBudget.Request stream = stream(request);
      if (stream == null || !stream.hold(bytes)) {
        return false;
      }
      Future<Void> unused = end.get();
    } else if (bytes <= SMALL) { // which a connection is counted for anyway
      Future<Void> unused = end.get();
    } else {
      ConnectionBudget budget = of(request.connection());
      if (!budget.hold(bytes)) {
        budget.rejected(RejectionCause.MEMORY); // the connection is all that can be closed
        return false;
      }
      end.get().onComplete(sent -> budget.release(bytes));
    }
    return true;
  }

  private static long sizeOf(HttpServerRequest request) {
    long size = 0;
    for (Map.Entry<String, String> header : request.headers()) {
      size += header.getKey().length() + header.getValue().length() + ConnectionCost.HEADER;
    }
    return size;
  }
}
