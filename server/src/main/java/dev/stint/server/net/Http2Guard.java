package dev.stint.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the streams of an HTTP/2 connection, each from its headers until it is closed: a stream is
 * closed only when the client's window has let its answer through.
 */
final class Http2Guard extends Http2ConnectionAdapter {

  private final ConnectionBudget budget;
  private final Http2Connection connection;
  private final Http2Connection.PropertyKey key;

  // The stream that has begun last: mostly the one that is asked for.
  private int newest;
  private ConnectionBudget.@Nullable Request newestRequest;

  Http2Guard(ConnectionBudget budget, Http2Connection connection) {
    this.budget = budget;
    this.connection = connection;
    this.key = connection.newKey();
    connection.addListener(this);
  }

  @Override
  public void onStreamActive(Http2Stream stream) {
    begin(stream);
  }

  /** With an error, it is the end of the connection. */
  @Override
  public void onGoAwaySent(int lastStreamId, long errorCode, ByteBuf debugData) {
    if (errorCode != Http2Error.NO_ERROR.code()) {
      budget.rejected(RejectionCause.PROTOCOL);
    }
  }

  private ConnectionBudget.@Nullable Request begin(Http2Stream stream) {
    ConnectionBudget.Request request = budget.begin(ConnectionCost.STREAM);
    if (request != null) {
      stream.setProperty(key, request);
      newest = stream.id();
      newestRequest = request;
    }
    return request;
  }

  @Override
  public void onStreamClosed(Http2Stream stream) {
    ConnectionBudget.Request request = stream.removeProperty(key);
    if (request != null) {
      if (request == newestRequest) {
        newestRequest = null;
      }
      request.close(stream.isHeadersSent() && !stream.isResetSent());
    }
  }

  /** The budget of a stream; null if there was no room for it, or it is closed. */
  ConnectionBudget.@Nullable Request find(int stream) {
    if (stream == newest && newestRequest != null) {
      return newestRequest;
    }
    Http2Stream open = connection.stream(stream);
    if (open == null) {
      return null;
    }
    ConnectionBudget.Request request = open.getProperty(key);
    // The first stream of a connection that was upgraded from HTTP/1.1 was there before us.
    return request == null ? begin(open) : request;
  }
}
