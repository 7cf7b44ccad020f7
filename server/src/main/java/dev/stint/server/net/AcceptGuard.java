package dev.stint.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Supplier;

/**
 * Stands in a listener's pipeline and counts each connection as soon as it is accepted: Vert.x
 * would tell of it only after its TLS handshake or its first request.
 */
@Sharable
final class AcceptGuard extends ChannelInboundHandlerAdapter {

  private final ByteBudget budget;
  private final Connections listener;
  private final long least;
  private final Supplier<DrainHandler> drains;

  AcceptGuard(ByteBudget budget, Connections listener, long least, Supplier<DrainHandler> drains) {
    this.budget = budget;
    this.listener = listener;
    this.least = least;
    this.drains = drains;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    listener.acceptsOn(context.channel());
    context.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Channel accepted = (Channel) message;
    ConnectionBudget connection =
        budget.accept(
            listener, least, Peers.of(accepted.remoteAddress()), () -> closeNow(accepted));
    if (connection == null) {
      accepted.unsafe().closeForcibly();
      return;
    }
    connection.attachTo(accepted);
    accepted.closeFuture().addListener(closed -> connection.close());
    accepted
        .pipeline()
        .addFirst(DrainHandler.class.getName(), drains.get())
        .addFirst(ConnectionGuard.class.getName(), new ConnectionGuard(connection));
    context.fireChannelRead(message);
  }

  /** Closes a connection past all its handlers: TLS would say goodbye first, and wait. */
  private static void closeNow(Channel channel) {
    if (channel.isRegistered()) { // otherwise its guard closes it
      channel.eventLoop().execute(() -> channel.unsafe().close(channel.voidPromise()));
    }
  }
}
