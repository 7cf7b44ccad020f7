package dev.stint.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;

/**
 * Ends a connection of HTTP/1.1: every request that was read is answered, the last answer says
 * {@code Connection: close}, and then the connection is closed. A client that sees it knows that
 * nothing it sent after that request has been processed (RFC 9112, section 9.6).
 *
 * <p>Which answer is the last one is known only when everything that was read has been decoded. So
 * while the service stops, an answer with no request behind it is held back until the end of the
 * current read.
 *
 * <p>It stands between the codec and the handler of Vert.x, and counts requests and answers.
 */
final class Http1Drain extends ChannelDuplexHandler {

  private final Channel channel;
  private final DrainHandler connection;
  private final ArrayDeque<Held> held = new ArrayDeque<>(0);

  private int unanswered;
  private boolean isReading;
  private boolean isRequestWhole = true;
  private boolean isLastAnswer;
  private boolean isDraining;
  private boolean isOver;

  /** Part of an answer that waits until it is known whether it is the last one. */
  private record Held(Object message, ChannelPromise promise) {}

  private Http1Drain(Channel channel, DrainHandler connection) {
    this.channel = channel;
    this.connection = connection;
  }

  /**
   * Drains a connection when the service stops.
   *
   * @param vertx where the handler of Vert.x stands
   */
  static void install(ChannelHandlerContext vertx) {
    DrainHandler drain = vertx.pipeline().get(DrainHandler.class);
    if (drain != null) {
      vertx
          .pipeline()
          .addBefore(vertx.name(), "http1-drain", new Http1Drain(vertx.channel(), drain));
    }
  }

  /** The listener is closed: what has been read by now is answered, and nothing more is read. */
  void begin() {
    isDraining = true;
    stopReadingIfBusy();
  }

  /** Whether an answer is still to come, after which the connection is closed. */
  boolean closesByItself() {
    return isOver || unanswered > 0;
  }

  // ---- requests ----

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (isOver) {
      ReferenceCountUtil.release(message);
      return;
    }
    isReading = true;
    if (message instanceof HttpRequest) {
      unanswered++;
      isRequestWhole = false;
      release(ctx, false);
    }
    if (message instanceof LastHttpContent) {
      isRequestWhole = true;
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    isReading = false;
    release(ctx, true);
    ctx.fireChannelReadComplete();
    stopReadingIfBusy();
  }

  /** A client that sends request after request without a pause would never be done. */
  private void stopReadingIfBusy() {
    if (isDraining && !isReading && unanswered > 0 && isRequestWhole) {
      connection.stopReading(channel);
    }
  }

  // ---- answers ----

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    boolean begins = message instanceof HttpResponse answer && isFinal(answer);
    if (!held.isEmpty()) {
      held.add(new Held(message, promise));
    } else if (begins && unanswered == 1 && connection.isStopping()) {
      held.add(new Held(message, promise));
      if (!isReading) {
        release(ctx, true);
      }
    } else {
      send(ctx, message, promise);
    }
  }

  /** Sends what was held back, now that it is known whether it belongs to the last answer. */
  private void release(ChannelHandlerContext ctx, boolean isLast) {
    if (held.isEmpty()) {
      return;
    }
    if (isLast && held.peek() != null && held.peek().message instanceof HttpResponse answer) {
      answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      isLastAnswer = true;
    }
    for (Held next = held.poll(); next != null; next = held.poll()) {
      send(ctx, next.message, next.promise);
    }
    ctx.flush();
  }

  private void send(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    boolean ends =
        message instanceof LastHttpContent
            && !(message instanceof HttpResponse answer && !isFinal(answer));
    if (ends) {
      unanswered--;
      // An answer that began before the stop could not say that it is the last one.
      isOver = isLastAnswer || (isDraining && unanswered == 0 && !isReading);
    }
    if (ends && isOver) {
      ctx.writeAndFlush(message, promise.unvoid()).addListener(sent -> close(ctx));
    } else {
      ChannelFuture unused = ctx.write(message, promise);
    }
  }

  private static void close(ChannelHandlerContext ctx) {
    ChannelFuture unused = ctx.close();
  }

  private static boolean isFinal(HttpResponse answer) {
    return answer.status().codeClass() != HttpStatusClass.INFORMATIONAL;
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    for (Held next = held.poll(); next != null; next = held.poll()) {
      ReferenceCountUtil.release(next.message);
      next.promise.tryFailure(new ClosedChannelException());
    }
    ctx.fireChannelInactive();
  }
}
