package dev.stint.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.ReauthenticateBehavior;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EpollProvider;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lettuce, set up to fail fast and to send nothing twice. */
final class LettuceSetup {

  private static final int QUEUE = 16_384;
  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration SILENCE = Duration.ofSeconds(5);

  private LettuceSetup() {}

  /** Threads and timers of our own, or those of {@code shared}, which outlive us. */
  static ClientResources resources(boolean cluster, @Nullable ClientResources shared) {
    NettyCustomizer custom =
        shared == null ? DefaultClientResources.DEFAULT_NETTY_CUSTOMIZER : shared.nettyCustomizer();
    return (shared == null ? ClientResources.builder() : borrowing(shared))
        .reconnectDelay(Delay.fullJitter(20, 500, 20, TimeUnit.MILLISECONDS))
        .nettyCustomizer(new Handlers(cluster, custom))
        .build();
  }

  /**
   * All of {@code lent}, none of which ends with what is built. ({@code mutate()} would not do: it
   * takes the timer over, to stop it at the end, and makes event loops of its own.)
   */
  private static ClientResources.Builder borrowing(ClientResources lent) {
    return ClientResources.builder()
        .eventLoopGroupProvider(lent.eventLoopGroupProvider())
        .eventExecutorGroup(lent.eventExecutorGroup())
        .timer(lent.timer())
        .eventBus(lent.eventBus())
        .commandLatencyRecorder(lent.commandLatencyRecorder())
        // The lender publishes what its recorder has; twice would be once too often.
        .commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled())
        .tracing(lent.tracing())
        .socketAddressResolver(lent.socketAddressResolver())
        .addressResolverGroup(lent.addressResolverGroup());
  }

  /**
   * An end to silence; and in a cluster, where decisions are not bundled, commands that are written
   * in one turn of the event loop leave in one packet. What the application wants comes last, and
   * so has the last word.
   */
  private record Handlers(boolean consolidating, NettyCustomizer custom)
      implements NettyCustomizer {

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
      custom.afterBootstrapInitialized(bootstrap);
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
      channel.pipeline().addFirst(new Silence(SILENCE.toNanos()));
      if (consolidating) {
        channel.pipeline().addFirst(new FlushConsolidationHandler(256, true));
      }
      custom.afterChannelInitialized(channel);
    }
  }

  static ClientOptions options(
      Duration deadline, SslOptions ssl, ReauthenticateBehavior reauthenticate, boolean isTcp) {
    ClientOptions.Builder builder = ClientOptions.builder();
    return common(builder, deadline, ssl, reauthenticate, isTcp).build();
  }

  @SuppressWarnings("deprecation") // Lettuce 7 enables the triggers by itself, 6 has to be told
  static ClusterClientOptions clusterOptions(
      Duration deadline, SslOptions ssl, ReauthenticateBehavior reauthenticate) {
    ClusterClientOptions.Builder builder = ClusterClientOptions.builder();
    common(builder, deadline, ssl, reauthenticate, true);
    return builder
        .topologyRefreshOptions(
            ClusterTopologyRefreshOptions.builder()
                .enableAllAdaptiveRefreshTriggers()
                .adaptiveRefreshTriggersTimeout(Duration.ofMillis(250))
                .refreshTriggersReconnectAttempts(1)
                .enablePeriodicRefresh(Duration.ofSeconds(5))
                .build())
        .build();
  }

  private static <B extends ClientOptions.Builder> B common(
      B builder,
      Duration deadline,
      SslOptions ssl,
      ReauthenticateBehavior reauthenticate,
      boolean isTcp) {
    builder
        .autoReconnect(true)
        // A command in flight when the connection breaks is dropped: it may have been run.
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .replayFilter(command -> true)
        .requestQueueSize(QUEUE)
        // Callers are answered at the deadline by the store itself, which wants to hear of late
        // answers too; Lettuce only has to forget in the end.
        .timeoutOptions(
            TimeoutOptions.builder()
                .timeoutCommands()
                .fixedTimeout(CommandDispatcher.late(deadline))
                .build())
        .socketOptions(isTcp ? tcp() : SocketOptions.builder().connectTimeout(CONNECT).build())
        .reauthenticateBehavior(reauthenticate)
        .sslOptions(ssl);
    return builder;
  }

  /** What Unix sockets do not have. */
  private static SocketOptions tcp() {
    SocketOptions.Builder socket =
        SocketOptions.builder()
            .connectTimeout(CONNECT)
            .keepAlive(
                KeepAliveOptions.builder()
                    .enable()
                    .idle(SILENCE)
                    .interval(Duration.ofSeconds(1))
                    .count(3)
                    .build());
    if (EpollProvider.isAvailable()) { // only there does the option exist
      socket.tcpUserTimeout(
          TcpUserTimeoutOptions.builder().enable().tcpUserTimeout(SILENCE).build());
    }
    return socket.build();
  }
}
