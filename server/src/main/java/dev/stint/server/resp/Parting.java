package dev.stint.server.resp;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The end of a connection, such that the last answers arrive.
 *
 * <p>A socket that is closed while the client still sends is reset, and a reset destroys what the
 * client has not read yet. So only our half is closed first, and the rest when the client has
 * closed its own, or after a while.
 */
final class Parting {

  private static final long PATIENCE_MILLIS = 500;

  /** A client that sent nothing for so long has nothing on its way, as far as one can know. */
  private static final long QUIET_MILLIS = 20;

  private static final int MOST_CHECKS = 50;

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

  /** Runs {@code end} when the client is quiet, or has not been for too long. */
  void whenQuiet(BooleanSupplier quiet, Runnable end) {
    check(quiet, end, MOST_CHECKS);
  }

  private void check(BooleanSupplier quiet, Runnable end, int more) {
    Future<?> unused =
        context
            .executor()
            .schedule(
                () -> {
                  if (more == 0 || quiet.getAsBoolean()) {
                    end.run();
                  } else {
                    check(quiet, end, more - 1);
                  }
                },
                QUIET_MILLIS,
                TimeUnit.MILLISECONDS);
  }
}
