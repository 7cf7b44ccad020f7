package dev.stint.server.resp;

import dev.stint.server.config.Bounds;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.Connections;
import dev.stint.server.net.LocalPeer;
import dev.stint.server.net.Sockets;
import dev.stint.server.net.TokenAuth;
import dev.stint.server.net.Wire;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Redis' protocol, as far as a limiter needs it: {@code CL.THROTTLE} and {@code STINT.*}, and what
 * clients of Redis say in passing.
 */
public final class RespWire implements Wire {

  private final Listener listener;
  private final Bounds bounds;
  private final Connections connections;
  private final Desk desk;
  private @Nullable NetServer server;

  public RespWire(
      Engine engine, Configuration configuration, TokenAuth auth, Connections connections) {
    this.listener = configuration.listeners().resp();
    this.bounds = configuration.bounds();
    this.connections = connections;
    this.desk = new Desk(engine, bounds, auth, connections);
  }

  @Override
  public Future<Integer> listen(Vertx vertx, int port) {
    NetServer made =
        vertx
            .createNetServer(Sockets.net(listener, bounds, connections))
            .connectHandler(this::connected);
    server = made;
    return made.listen(port, listener.host()).map(NetServer::actualPort);
  }

  private void connected(NetSocket socket) {
    ChannelHandlerContext context = ((NetSocketInternal) socket).channelHandlerContext();
    socket.exceptionHandler(failure -> {}); // it is closed then, which is all there is to do
    boolean isLocal = LocalPeer.isLoopback(socket.remoteAddress());
    Connection unused = Connection.before(context, desk, isLocal, socket.isSsl());
  }

  @Override
  public Future<Void> drain(Duration within) {
    NetServer open = server;
    return open == null
        ? Future.succeededFuture()
        : open.shutdown(within.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public Future<Void> reloadCertificates(ServerSSLOptions certificates) {
    NetServer open = server;
    return open == null
        ? Future.succeededFuture()
        : open.updateSSLOptions(certificates, true).mapEmpty();
  }
}
