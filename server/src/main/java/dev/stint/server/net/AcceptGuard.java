package dev.stint.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands in a listener's pipeline and counts each connection as soon as it is accepted: Vert.x
 * would tell of it only after its TLS handshake or its first request.
 *
 * <p>A connection waits in the {@link ArrivalQueue} while there is no room for it, and while event
 * loops are behind: otherwise a flood of new connections would keep them from the ones that they
 * have.
 */
@Sharable
final class AcceptGuard extends ChannelInboundHandlerAdapter {

  /** Connections that were handed to event loops and not taken up yet. */
  private static final int MOST_HANDED_OVER = 32;

  private static final int MOST_ARRIVALS = 1024;

  /** A connection that there was no room for in this time is closed. */
  private static final long LONGEST_WAIT_MILLIS = 1000;

  private static final long RETRY_MILLIS = 5;

  /** As the kernel numbers the states of a connection. */
  private static final int TCP_ESTABLISHED = 1;

  private final AtomicInteger handedOver = new AtomicInteger();

  // Only for the thread that accepts.
  private final ArrivalQueue<Channel> arrivals = new ArrivalQueue<>(MOST_ARRIVALS);
  private boolean retries;

  private volatile @Nullable ChannelHandlerContext pipeline;
  private final ByteBudget budget;
  private final Connections listener;
  private final @Nullable HandshakeQueue handshakes;
  private final Supplier<DrainHandler> drains;

  /**
   * A guard.
   *
   * @param encrypted whether connections begin with a TLS handshake
   */
  AcceptGuard(
      ByteBudget budget, Connections listener, boolean encrypted, Supplier<DrainHandler> drains) {
    this.budget = budget;
    this.listener = listener;
    this.handshakes =
        encrypted
            ? new HandshakeQueue(
                budget::now, this::startHandshake, AcceptGuard::endHandshake, this::proceedLater)
            : null;
    this.drains = drains;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    listener.acceptsOn(context.channel());
    context.fireChannelActive();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    pipeline = context;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Channel accepted = (Channel) message;
    Object peer = Peers.of(accepted.remoteAddress());
    ArrivalQueue.Arrival<Channel> surplus =
        arrivals.add(new ArrivalQueue.Arrival<>(peer, accepted, budget.now()));
    if (surplus != null) {
      reject(surplus.connection());
    }
    admit(context);
  }

  /** Serves connections that have arrived, for as long as there is room for them. */
  private void admit(ChannelHandlerContext context) {
    for (ArrivalQueue.Arrival<Channel> next = arrivals.next();
        next != null;
        next = arrivals.next()) {
      boolean admitted =
          handedOver.get() < MOST_HANDED_OVER && admit(context, next.peer(), next.connection());
      if (!admitted) {
        if (budget.now() - next.at() < LONGEST_WAIT_MILLIS) {
          break;
        }
        reject(next.connection());
      }
      arrivals.remove();
    }
    if (!arrivals.isEmpty() && !retries) {
      retries = true;
      Future<?> unused =
          context
              .executor()
              .schedule(
                  () -> {
                    retries = false;
                    admit(context);
                  },
                  RETRY_MILLIS,
                  TimeUnit.MILLISECONDS);
    }
  }

  private boolean admit(ChannelHandlerContext context, Object peer, Channel accepted) {
    ConnectionBudget connection =
        budget.accept(listener, ConnectionCost.PLAIN, peer, () -> evict(peer, accepted));
    if (connection == null) {
      return false;
    }
    connection.attachTo(accepted);
    accepted.config().setRecvByteBufAllocator(new ReadPortions(connection));
    ConnectionGuard guard =
        new ConnectionGuard(
            connection,
            this::takenUp,
            () -> handshakeIsAnswered(peer, accepted),
            () -> handshakeIsOver(peer, accepted));
    accepted
        .closeFuture()
        .addListener(
            closed -> {
              guard.takenUp();
              handshakeIsOver(peer, accepted);
              connection.close();
            });
    accepted
        .pipeline()
        .addFirst(DrainHandler.class.getName(), drains.get())
        .addFirst(ConnectionGuard.class.getName(), guard);
    if (handshakes == null) {
      start(context, accepted);
    } else {
      connection.head().encrypted();
      handshakes.enter(peer, accepted);
    }
    return true;
  }

  private void reject(Channel accepted) {
    listener.counters().rejected(budget.cause(listener));
    accepted.unsafe().closeForcibly();
  }

  /** The listener is closed, and connections that still wait will not be served. */
  @Override
  public void channelInactive(ChannelHandlerContext context) {
    for (ArrivalQueue.Arrival<Channel> next = arrivals.next();
        next != null;
        next = arrivals.next()) {
      next.connection().unsafe().closeForcibly();
      arrivals.remove();
    }
    if (handshakes != null) {
      handshakes.close().forEach(AcceptGuard::closeUnregistered);
    }
    context.fireChannelInactive();
  }

  /** Hands a connection on, to get an event loop and be read. */
  private void start(ChannelHandlerContext context, Channel accepted) {
    handedOver.incrementAndGet();
    context.fireChannelRead(accepted);
  }

  private void startHandshake(Channel accepted) {
    ChannelHandlerContext context = pipeline;
    if (context != null) {
      context
          .executor()
          .execute(
              () -> {
                ConnectionBudget connection = ConnectionBudget.of(accepted);
                boolean wanted = context.channel().isOpen() && !isGone(accepted);
                if (wanted && connection.hold(ConnectionCost.ENCRYPTION)) {
                  start(context, accepted);
                } else {
                  if (wanted) {
                    connection.rejected(RejectionCause.MEMORY);
                  }
                  closeUnregistered(accepted);
                  handshakeIsOver(connection.peer(), accepted);
                }
              });
    }
  }

  /**
   * Whether the client has closed a connection that waited. Its first message would still be read
   * and answered, with all the cost of it.
   */
  private static boolean isGone(Channel accepted) {
    return accepted instanceof EpollSocketChannel socket
        && socket.isOpen()
        && socket.tcpInfo().state() != TCP_ESTABLISHED;
  }

  private static void closeUnregistered(Channel accepted) {
    accepted.unsafe().closeForcibly();
    ConnectionBudget.of(accepted).close();
  }

  /** An event loop has a connection, or it is closed. */
  private void takenUp() {
    ChannelHandlerContext context = pipeline;
    if (handedOver.decrementAndGet() == MOST_HANDED_OVER / 2 && context != null) {
      context.executor().execute(() -> admit(context));
    }
  }

  private void proceedLater(Object peer, long millis) {
    ChannelHandlerContext context = pipeline;
    if (context != null && handshakes != null) {
      Future<?> unused =
          context
              .executor()
              .schedule(() -> handshakes.proceed(peer), millis, TimeUnit.MILLISECONDS);
    }
  }

  private void handshakeIsAnswered(Object peer, Channel channel) {
    if (handshakes != null) {
      handshakes.answered(peer, channel);
    }
  }

  private void handshakeIsOver(Object peer, Channel channel) {
    if (handshakes != null) {
      handshakes.leave(peer, channel);
    }
  }

  // ---- closing ----

  /**
   * Closes a connection, unless it makes progress before. A timer runs after sockets were read,
   * even if it is due at once; a task would run before.
   */
  private void evict(Object peer, Channel channel) {
    if (channel.isRegistered()) {
      Future<?> unused =
          channel.eventLoop().schedule(() -> closeStalled(channel), 0, TimeUnit.NANOSECONDS);
    } else if (handshakes != null && handshakes.remove(peer, channel)) {
      if (ConnectionBudget.of(channel).mustLeave()) {
        closeUnregistered(channel);
      }
    } // otherwise it is about to be registered, and its guard closes it then
  }

  /** Closes it past all its handlers: TLS would say goodbye first, and wait. */
  private static void closeStalled(Channel channel) {
    if (ConnectionBudget.of(channel).mustLeave()) {
      channel.unsafe().close(channel.voidPromise());
    }
  }

  /** Closes a connection whose handshake takes too long. */
  private static void endHandshake(Channel channel) {
    if (channel.isRegistered()) {
      ConnectionBudget.of(channel).rejected(RejectionCause.TLS_HANDSHAKE);
      channel.eventLoop().execute(() -> channel.unsafe().close(channel.voidPromise()));
    }
  }
}
