package dev.stint.server.net;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Ends a connection of HTTP/2 as RFC 9113, section 6.8 advises. A first GOAWAY names the highest
 * stream there can be, so that no request on its way is lost; a PING follows it. When the client
 * has answered the PING it knows of the GOAWAY, and all that it sent before has been read. Then a
 * second GOAWAY names the last stream that was read, and the connection is closed when all streams
 * have ended.
 */
final class Http2Drain {

  private static final long PING = 0x7374696e74L;

  /** A client that does not answer the PING is not waited for any longer. */
  private static final long PONG_MILLIS = 1000;

  private final ChannelHandlerContext ctx;
  private final Http2ConnectionHandler http2;
  private final DrainHandler connection;
  private boolean isLastSent;

  /**
   * The end of one connection.
   *
   * @param ctx of the handler {@code http2}
   */
  Http2Drain(ChannelHandlerContext ctx, Http2ConnectionHandler http2, DrainHandler connection) {
    this.ctx = ctx;
    this.http2 = http2;
    this.connection = connection;
  }

  void begin() {
    goAway(Integer.MAX_VALUE);
    Http2ConnectionDecoder decoder = http2.decoder();
    decoder.frameListener(
        new Http2FrameListenerDecorator(decoder.frameListener()) {
          @Override
          public void onPingAckRead(ChannelHandlerContext here, long data) throws Http2Exception {
            if (data == PING) {
              sendLast();
            } else {
              super.onPingAckRead(here, data);
            }
          }
        });
    ChannelFuture unused = http2.encoder().writePing(ctx, false, PING, ctx.newPromise());
    ctx.flush();
    Future<?> timer = ctx.executor().schedule(this::sendLast, PONG_MILLIS, TimeUnit.MILLISECONDS);
    ctx.channel().closeFuture().addListener(closed -> timer.cancel(false));
  }

  private void sendLast() {
    if (isLastSent || !ctx.channel().isActive()) {
      return;
    }
    isLastSent = true;
    goAway(http2.connection().remote().lastStreamCreated());
    http2.gracefulShutdownTimeoutMillis(connection.remainingMillis());
    // From the end of the pipeline: it waits until every stream has ended.
    ChannelFuture unused = ctx.channel().close();
  }

  private void goAway(int lastStream) {
    ChannelFuture unused =
        http2.goAway(
            ctx, lastStream, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER, ctx.newPromise());
    ctx.flush();
  }
}
