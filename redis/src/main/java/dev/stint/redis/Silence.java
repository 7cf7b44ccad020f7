package dev.stint.redis;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;

/**
 * Closes a connection on which a question has met with silence for too long, so that a new one is
 * made: the server may well be there, and only this connection lost on the way to it. TCP itself
 * would go on trying for a quarter of an hour.
 *
 * <p>It looks when the next question is sent; while Redis is away, probes are.
 */
final class Silence extends ChannelDuplexHandler {

  private final long longest;
  private boolean waiting;
  private long since;

  /**
   * A watch over one connection.
   *
   * @param longest how long it may be silent, in nanoseconds
   */
  Silence(long longest) {
    this.longest = longest;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    long now = System.nanoTime();
    if (!waiting) {
      waiting = true;
      since = now;
    } else if (now - since > longest) {
      ChannelFuture unusedClose = context.close();
    }
    ChannelFuture unused = context.write(message, promise);
  }

  /** Whatever arrives, somebody is there. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    waiting = false;
    context.fireChannelRead(message);
  }
}
