package dev.stint.server.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultSelectStrategyFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.transport.Transport;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Vert.x' transport with a {@link ByteBudget}: each listener counts its connections from accept on,
 * and a connection reads and writes in small portions.
 */
public final class GuardedTransport implements io.vertx.core.transport.Transport {

  /**
   * Sockets that are served in one go, before tasks and timers run. By default it would be
   * thousands, and until their end everything would wait that a task has to do: what closed
   * connections held stays in memory, new ones are not read, other connections' batches stand
   * still.
   */
  private static final int MOST_EVENTS = 128;

  /** What a client may leave unread before it is read from no more. */
  private static final WriteBufferWaterMark UNSENT = new WriteBufferWaterMark(16 << 10, 32 << 10);

  /**
   * What the kernel may keep for a connection in each direction, which it doubles for its own
   * needs. Left to itself it would take many megabytes from each client that sends without reading.
   * All sockets of a machine share one bound for this, and at the bound the kernel drops packets of
   * every connection, to be sent again hundreds of milliseconds later.
   */
  private static final int KERNEL_BUFFER = 128 << 10;

  private final io.vertx.core.transport.Transport plain;
  private final Guarded guarded;

  /**
   * A transport with a budget.
   *
   * @param listeners the listener with the number that {@link Sockets} gave to its options
   * @param drains makes what ends a connection when the service stops
   */
  public GuardedTransport(
      ByteBudget budget,
      IntFunction<@Nullable Connections> listeners,
      Supplier<DrainHandler> drains) {
    io.vertx.core.transport.Transport best = io.vertx.core.transport.Transport.nativeTransport();
    this.plain = best != null && best.available() ? best : io.vertx.core.transport.Transport.NIO;
    this.guarded = new Guarded(plain.implementation(), budget, listeners, drains);
  }

  @Override
  public String name() {
    return plain.name();
  }

  @Override
  public boolean available() {
    return true;
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return null;
  }

  @Override
  public Transport implementation() {
    return guarded;
  }

  private static void guard(ServerBootstrap bootstrap, AcceptGuard guard) {
    bootstrap
        .handler(guard)
        .option(ChannelOption.SO_RCVBUF, KERNEL_BUFFER) // accepted sockets inherit it
        .childOption(ChannelOption.SO_SNDBUF, KERNEL_BUFFER)
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT);
  }

  /** Everything as the plain transport does it, and each listener with a guard. */
  private record Guarded(
      Transport plain,
      ByteBudget budget,
      IntFunction<@Nullable Connections> listeners,
      Supplier<DrainHandler> drains)
      implements Transport {

    @Override
    public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap server) {
      plain.configure(options, domainSocket, server);
      Connections listener = listeners.apply(options.getPort());
      if (listener != null) {
        guard(server, new AcceptGuard(budget, listener, options.isSsl(), drains));
      }
    }

    @Override
    public boolean supportsDomainSockets() {
      return plain.supportsDomainSockets();
    }

    @Override
    public boolean supportFileRegion() {
      return plain.supportFileRegion();
    }

    @Override
    public boolean isAvailable() {
      return plain.isAvailable();
    }

    @Override
    public Throwable unavailabilityCause() {
      return plain.unavailabilityCause();
    }

    @Override
    public java.net.SocketAddress convert(SocketAddress address) {
      return plain.convert(address);
    }

    @Override
    public SocketAddress convert(java.net.SocketAddress address) {
      return plain.convert(address);
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
      return plain instanceof EpollTransport
          ? EpollIoHandler.newFactory(MOST_EVENTS, DefaultSelectStrategyFactory.INSTANCE)
          : plain.ioHandlerFactory();
    }

    @Override
    public DatagramChannel datagramChannel() {
      return plain.datagramChannel();
    }

    @Override
    @SuppressWarnings("deprecation") // as Vert.x has it
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
      return plain.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
      return plain.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
      return plain.serverChannelFactory(domainSocket);
    }

    @Override
    public void configure(DatagramChannel channel, DatagramSocketOptions options) {
      plain.configure(channel, options);
    }

    @Override
    public void configure(
        ClientOptionsBase options, int timeout, boolean domainSocket, Bootstrap bootstrap) {
      plain.configure(options, timeout, domainSocket, bootstrap);
    }
  }
}
