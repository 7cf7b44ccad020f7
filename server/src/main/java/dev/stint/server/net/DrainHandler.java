package dev.stint.server.net;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.vertx.core.net.impl.ShutdownEvent;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Ends a connection when the service stops, so that every request that was read is answered and
 * every answer arrives. It stands before encryption and every protocol, and does nothing until
 * then.
 *
 * <p>Vert.x tells connections of a server's shutdown by a {@link ShutdownEvent}. Its own reaction
 * loses requests: HTTP/1.1 drops pipelined requests that were read, never says {@code Connection:
 * close}, and closes sockets that still have unread input; HTTP/2 sends one GOAWAY and ignores the
 * streams that cross it. So this handler takes the event, and drains by protocol:
 *
 * <ul>
 *   <li>HTTP/2 and gRPC: {@link Http2Drain}.
 *   <li>HTTP/1.1: {@link Http1Drain} answers what was read, the last answer says {@code close}.
 *   <li>Other protocols: once the client has been quiet for a moment, nothing more is read and
 *       {@link DrainEvent} is fired; the protocol answers what it has and closes the channel.
 * </ul>
 *
 * <p>While the service stops, closing means: send what was written, close the sending half, discard
 * what still arrives, and close when the client has closed too, or after a second. A socket that is
 * closed with unread input sends a reset, and a reset destroys answers the client has not read yet.
 *
 * <p>The connection ends at the timeout of the event whatever the client does.
 */
public final class DrainHandler extends ChannelDuplexHandler {

  /** The last moment for a request that is on its way: a client quiet for so long sends none. */
  private static final long QUIET_MILLIS = 50;

  /** A client that is never quiet is cut off between two reads. */
  private static final int MOST_CHECKS = 10;

  private static final long LINGER_MILLIS = 1000;

  private final Readiness readiness;
  private final Duration drain;

  private boolean draining;
  private boolean watchesReads;
  private boolean lingering;
  private boolean readingStopped;
  private boolean heard;
  private long deadline;

  /**
   * A handler for one connection.
   *
   * @param drain how long a connection may take to end that was accepted while the listener closed
   */
  public DrainHandler(Readiness readiness, Duration drain) {
    this.readiness = readiness;
    this.drain = drain;
  }

  /** Whether answers of HTTP/1.1 should ask the client to connect elsewhere. */
  boolean isStopping() {
    return draining || !readiness.isReady();
  }

  // ---- the beginning ----

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ShutdownEvent shutdown && shutdown.timeout() > 0) {
      drain(ctx, shutdown.timeUnit().toNanos(shutdown.timeout()));
    } else if (!(lingering && event instanceof ChannelOutputShutdownEvent)) {
      ctx.fireUserEventTriggered(event);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    ctx.fireChannelActive();
    Channel listening = ctx.channel().parent();
    if (listening != null && !listening.isOpen()) {
      drain(ctx, drain.toNanos()); // accepted at the last moment, perhaps too late for the event
    }
  }

  private void drain(ChannelHandlerContext ctx, long nanos) {
    if (draining) {
      return;
    }
    draining = true;
    watchReads(ctx);
    deadline = System.nanoTime() + nanos;
    later(ctx, () -> closeNow(ctx), nanos);
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    Http2ConnectionHandler http2 = ctx.pipeline().get(Http2ConnectionHandler.class);
    Http1Drain http1 = ctx.pipeline().get(Http1Drain.class);
    if (tls != null && !tls.handshakeFuture().isSuccess()) {
      closeNow(ctx); // no request can have been read
    } else if (http2 != null) {
      new Http2Drain(ctx.pipeline().context(http2), http2, this).begin();
    } else {
      if (http1 != null) {
        http1.begin();
      }
      whenQuiet(ctx, MOST_CHECKS);
    }
  }

  private void whenQuiet(ChannelHandlerContext ctx, int checks) {
    heard = false;
    later(
        ctx,
        () -> {
          if (heard && checks > 1) {
            whenQuiet(ctx, checks - 1);
          } else {
            cut(ctx);
          }
        },
        TimeUnit.MILLISECONDS.toNanos(QUIET_MILLIS));
  }

  /** Takes nothing more that is not yet read. */
  private void cut(ChannelHandlerContext ctx) {
    Http2ConnectionHandler http2 = ctx.pipeline().get(Http2ConnectionHandler.class);
    Http1Drain http1 = ctx.pipeline().get(Http1Drain.class);
    if (lingering || !ctx.channel().isActive()) {
      return;
    }
    if (http2 != null) { // its first bytes came in the meantime
      new Http2Drain(ctx.pipeline().context(http2), http2, this).begin();
    } else if (http1 == null || !http1.closesByItself()) {
      stopReading(ctx.channel());
      DrainEvent event = new DrainEvent();
      ctx.fireUserEventTriggered(event);
      if (!event.isTaken()) {
        ChannelFuture unused = ctx.pipeline().close();
      }
    }
  }

  // ---- reading ----

  /** From now on nothing is read from the socket, whoever asks for it. */
  void stopReading(Channel channel) {
    readingStopped = true;
    channel.config().setAutoRead(false);
  }

  private void watchReads(ChannelHandlerContext ctx) {
    if (!watchesReads && !ctx.isRemoved()) {
      watchesReads = true;
      ctx.pipeline().addAfter(ctx.name(), "drain-reads", new Reads());
    }
  }

  /** Sees what is read, from when the connection is to end: before, no read need pass through. */
  private final class Reads extends ChannelDuplexHandler {

    @Override
    public void read(ChannelHandlerContext ctx) {
      if (readingStopped) {
        // Turning auto-read on reads at once, and so arrives here: it is turned off again.
        ctx.channel().config().setAutoRead(false);
      } else {
        ctx.read();
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (lingering) {
        ReferenceCountUtil.release(message);
        return;
      }
      heard = true;
      ctx.fireChannelRead(message);
    }
  }

  // ---- the end ----

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (!isStopping()) {
      ChannelFuture unused = ctx.close(promise);
      return;
    }
    ChannelPromise closed = promise.unvoid();
    ctx.channel().closeFuture().addListener(done -> closed.trySuccess());
    if (!lingering) {
      lingering = true;
      watchReads(ctx);
      later(ctx, () -> closeNow(ctx), TimeUnit.MILLISECONDS.toNanos(LINGER_MILLIS));
      ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> closeSendingHalf(ctx));
    }
  }

  private void closeSendingHalf(ChannelHandlerContext ctx) {
    if (ctx.channel() instanceof DuplexChannel channel
        && channel.isActive()
        && !channel.isInputShutdown()) {
      channel
          .shutdownOutput()
          .addListener(
              closed -> {
                readingStopped = false;
                channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
                channel.config().setAutoRead(true); // to learn that the client has closed
              });
    } else {
      closeNow(ctx);
    }
  }

  private static void closeNow(ChannelHandlerContext ctx) {
    ChannelFuture unused = ctx.close();
  }

  /** How long the connection may still last. */
  long remainingMillis() {
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
  }

  private static void later(ChannelHandlerContext ctx, Runnable task, long nanos) {
    Future<?> timer = ctx.executor().schedule(task, nanos, TimeUnit.NANOSECONDS);
    ctx.channel().closeFuture().addListener(closed -> timer.cancel(false));
  }
}
