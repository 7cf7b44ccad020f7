package dev.stint.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Stands next to the socket, before encryption and every protocol, and tells the {@link
 * ConnectionBudget} what comes in, what the socket has not taken yet, and when it has.
 */
final class ConnectionGuard extends ChannelDuplexHandler {

  /** The socket takes bytes without telling the pipeline, so somebody has to look. */
  private static final long LOOK_MILLIS = 250;

  private static final long LINGER_MILLIS = 500;

  private final ConnectionBudget budget;
  private long written;
  private long mark;
  private boolean isPending;
  private boolean looks;
  private boolean lingers;

  ConnectionGuard(ConnectionBudget budget) {
    this.budget = budget;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    if (budget.isLeaving()) { // it was chosen before it had an event loop to be closed on
      ChannelFuture unused = context.close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (lingers) {
      ReferenceCountUtil.release(message);
    } else if (message instanceof ByteBuf bytes) {
      Head head = budget.head();
      head.received(bytes.readableBytes());
      context.fireChannelRead(message);
      if (!head.settle()) {
        ChannelFuture unused = context.close();
      }
    } else {
      context.fireChannelRead(message);
    }
  }

  /**
   * Closes. A client whose request was refused before it was read to its end gets a moment to read
   * why: closed at once, the rest of its request would make the system reset the connection, and
   * the answer would be lost.
   */
  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (lingers || !budget.isCutShort() || !(context.channel() instanceof DuplexChannel channel)) {
      ChannelFuture unused = context.close(promise);
      return;
    }
    lingers = true;
    channel.config().setAutoRead(true);
    ChannelFuture unused = channel.shutdownOutput();
    Future<?> later =
        context
            .executor()
            .schedule(() -> closeNow(context, promise), LINGER_MILLIS, TimeUnit.MILLISECONDS);
    channel.closeFuture().addListener(closed -> later.cancel(false));
  }

  private static void closeNow(ChannelHandlerContext context, ChannelPromise promise) {
    ChannelFuture unused = context.close(promise);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof ByteBuf bytes) {
      written += bytes.readableBytes();
    }
    ChannelFuture unused = context.write(message, promise);
  }

  @Override
  public void flush(ChannelHandlerContext context) {
    context.flush();
    look(context);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    look(context);
    context.fireChannelWritabilityChanged();
  }

  /**
   * Vert.x closes the connection for any failure that gets to it. One of them is ordinary: the
   * trailers of an answer, which Vert.x writes without a promise of their own, were not sent yet
   * when the client reset the stream.
   */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!(cause instanceof Http2Exception.StreamException)) {
      context.fireExceptionCaught(cause);
    }
  }

  private void look(ChannelHandlerContext context) {
    ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
    long pending = buffer == null ? 0 : buffer.totalPendingWriteBytes();
    if (pending == 0) {
      if (isPending) {
        isPending = false;
        budget.unsent(0);
      }
      budget.taken();
      return;
    }
    if (!isPending) {
      isPending = true;
      mark = written;
    } else if (written - pending >= mark) { // all that was pending then has been taken
      mark = written;
      budget.taken();
    }
    budget.unsent(pending);
    if (!looks) {
      looks = true;
      Future<?> unused =
          context
              .executor()
              .schedule(
                  () -> {
                    looks = false;
                    if (context.channel().isOpen()) {
                      look(context);
                    }
                  },
                  LOOK_MILLIS,
                  TimeUnit.MILLISECONDS);
    }
  }
}
