package dev.stint.server.resp;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The end of a connection, such that the last answers arrive.
 *
 * <p>A socket that is closed while the client still sends is reset, and a reset destroys what the
 * client has not read yet. So only our half is closed first, and the rest when the client has
 * closed its own, or after a while.
 */
final class Parting {

  private static final long PATIENCE_MILLIS = 500;

  private final ChannelHandlerContext context;
  private final boolean encrypted;
  private boolean begun;

  Parting(ChannelHandlerContext context, boolean encrypted) {
    this.context = context;
    this.encrypted = encrypted;
  }

  /** Closes after what was written is sent. */
  void hangUp(boolean clientHasClosed) {
    if (clientHasClosed || encrypted || !(context.channel() instanceof DuplexChannel channel)) {
      context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> close());
    } else if (!begun) {
      begun = true;
      context.channel().config().setAutoRead(true); // to learn that the client has closed
      context
          .writeAndFlush(Unpooled.EMPTY_BUFFER)
          .addListener(sent -> channel.shutdownOutput().addListener(closed -> closeSoon()));
    }
  }

  private void closeSoon() {
    Future<?> unused =
        context.executor().schedule(this::close, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void close() {
    Future<?> unused = context.channel().close();
  }
}
