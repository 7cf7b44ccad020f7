package dev.stint.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Stands next to the socket, before encryption and every protocol, and tells the {@link
 * ConnectionBudget} what comes in, what the socket has not taken yet, and when it has.
 */
final class ConnectionGuard extends ChannelDuplexHandler {

  /** The socket takes bytes without telling the pipeline, so somebody has to look. */
  private static final long LOOK_MILLIS = 250;

  private static final long LINGER_MILLIS = 500;

  /** So many answers are sent together at most, if they are not answers to what is being read. */
  private static final int FLUSHES = 64;

  private static final byte[] TOO_MANY_HEADERS = tooManyHeaders();

  private static byte[] tooManyHeaders() {
    String problem =
        """
        {"type":"about:blank","title":"Request Header Fields Too Large","status":431,\
        "detail":"a request must have at most %d headers, had more; send fewer"}"""
            .formatted(Head.MOST_HEADERS);
    return ("HTTP/1.1 431 Request Header Fields Too Large\r\n"
            + "content-type: application/problem+json\r\n"
            + "connection: close\r\ncontent-length: "
            + problem.length()
            + "\r\n\r\n"
            + problem)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private final ConnectionBudget budget;
  private final AtomicReference<@Nullable Runnable> whenTakenUp;
  private @Nullable Runnable whenHandshakeIsAnswered;
  private @Nullable Runnable whenHandshakeIsDone;
  private long written;
  private long mark;
  private boolean isPending;
  private boolean isReading;
  private boolean flushesSoon;
  private int flushes;
  private boolean looks;
  private boolean lingers;

  /**
   * A guard.
   *
   * @param whenTakenUp runs once when the connection's event loop has it, or it is closed before
   * @param whenHandshakeIsAnswered runs once when the first message of its TLS handshake is
   *     answered, if it has one
   * @param whenHandshakeIsDone runs once when its TLS handshake is done, if it has one
   */
  ConnectionGuard(
      ConnectionBudget budget,
      Runnable whenTakenUp,
      Runnable whenHandshakeIsAnswered,
      Runnable whenHandshakeIsDone) {
    this.budget = budget;
    this.whenTakenUp = new AtomicReference<>(whenTakenUp);
    this.whenHandshakeIsAnswered = whenHandshakeIsAnswered;
    this.whenHandshakeIsDone = whenHandshakeIsDone;
  }

  void takenUp() {
    Runnable action = whenTakenUp.getAndSet(null);
    if (action != null) {
      action.run();
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    takenUp();
    if (budget.isLeaving() && budget.mustLeave()) { // chosen before it had an event loop
      ChannelFuture unused = context.close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    boolean isFirst = !isReading;
    isReading = true;
    if (lingers || (!isFirst && isGone(context))) {
      ReferenceCountUtil.release(message);
    } else if (message instanceof ByteBuf bytes) {
      Head head = budget.head();
      if (head.hasTooManyHeaders(bytes)) {
        bytes.release();
        refuseHeaders(context);
        return;
      }
      if (!head.admit(bytes.readableBytes())) {
        bytes.release();
        closeForMemory(context);
        return;
      }
      context.fireChannelRead(message);
      if (whenHandshakeIsDone != null) {
        lookAtHandshake(context, whenHandshakeIsDone);
      }
      if (!head.settle()) {
        closeForMemory(context);
      }
    } else {
      context.fireChannelRead(message);
    }
  }

  /**
   * Whether the client has closed the connection and will get no more answers. Netty then reads all
   * that it had sent, though the connection is not to be read now. As HTTP/1.1 that can be
   * thousands of requests, and the event loop keeps them until it has read all its sockets: enough
   * of such connections at once would exhaust the heap.
   */
  private static boolean isGone(ChannelHandlerContext context) {
    ChannelConfig config = context.channel().config();
    return !config.isAutoRead()
        && !Boolean.TRUE.equals(config.getOption(ChannelOption.ALLOW_HALF_CLOSURE));
  }

  private void closeForMemory(ChannelHandlerContext context) {
    budget.rejected(RejectionCause.MEMORY);
    ChannelFuture unused = context.close();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.fireChannelReadComplete();
    isReading = false;
  }

  /** Answers in place of the protocol behind this, which does not get to see the request. */
  private void refuseHeaders(ChannelHandlerContext context) {
    Connections listener = budget.listener();
    if (listener != null) {
      listener.counters().request();
      listener.counters().answered(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE.code());
    }
    budget.cutShort();
    ByteBuf answer = context.alloc().buffer(TOO_MANY_HEADERS.length).writeBytes(TOO_MANY_HEADERS);
    ChannelFuture unused = context.writeAndFlush(answer);
    close(context, context.newPromise());
  }

  private void lookAtHandshake(ChannelHandlerContext context, Runnable whenDone) {
    Runnable whenAnswered = whenHandshakeIsAnswered;
    if (whenAnswered != null && written > 0) {
      whenHandshakeIsAnswered = null;
      whenAnswered.run();
    }
    if (!isInHandshake(context)) {
      whenHandshakeIsDone = null;
      whenDone.run();
    }
  }

  private static boolean isInHandshake(ChannelHandlerContext context) {
    SslHandler encryption = context.pipeline().get(SslHandler.class);
    return encryption == null
        ? context.pipeline().get(SniHandler.class) != null
        : !encryption.handshakeFuture().isSuccess();
  }

  /**
   * Closes. A client whose request was refused before it was read to its end gets a moment to read
   * why: closed at once, the rest of its request would make the system reset the connection, and
   * the answer would be lost.
   */
  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    flushNow(context);
    if (context.channel().isActive() && isServing(context)) {
      countClosing(context);
    }
    if (lingers || !budget.isCutShort() || !(context.channel() instanceof DuplexChannel channel)) {
      ChannelFuture unused = context.close(promise);
      return;
    }
    lingers = true;
    channel.config().setAutoRead(true);
    ChannelFuture unused = channel.shutdownOutput();
    Future<?> later =
        context.executor().schedule(() -> closeNow(context), LINGER_MILLIS, TimeUnit.MILLISECONDS);
    channel
        .closeFuture()
        .addListener(
            closed -> {
              later.cancel(false);
              promise.trySuccess();
            });
  }

  /** Counts a connection that the service closes, unless its cause was counted where it arose. */
  private void countClosing(ChannelHandlerContext context) {
    if (isInHandshake(context)) {
      budget.rejected(RejectionCause.TLS_HANDSHAKE);
    } else if (budget.isOverdue(LOOK_MILLIS)) {
      budget.rejected(RejectionCause.IDLE);
    }
  }

  /** Whether the service goes on: when it stops, it closes connections that are in order. */
  private static boolean isServing(ChannelHandlerContext context) {
    Channel listening = context.channel().parent();
    return listening != null && listening.isOpen();
  }

  private static void closeNow(ChannelHandlerContext context) {
    ChannelFuture unused = context.close();
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof ByteBuf bytes) {
      written += bytes.readableBytes();
    }
    ChannelFuture unused = context.write(message, promise);
  }

  /**
   * Sends what was written: at once while the connection is read, because Vert.x then waits with it
   * until everything is read. Later answers come one by one, from a store far away or from requests
   * that had to wait for their turn: those that come together are sent together, as a call of the
   * system for each would cost as much as the answer itself.
   */
  @Override
  public void flush(ChannelHandlerContext context) {
    flushes++;
    if (isReading || flushes >= FLUSHES) {
      flushNow(context);
    } else if (!flushesSoon) {
      flushesSoon = true;
      context
          .executor()
          .execute(
              () -> {
                flushesSoon = false;
                flushNow(context);
              });
    }
  }

  private void flushNow(ChannelHandlerContext context) {
    if (flushes > 0) {
      flushes = 0;
      context.flush();
      look(context);
    }
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
