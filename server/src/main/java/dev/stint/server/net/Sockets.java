package dev.stint.server.net;

import dev.stint.server.config.Bounds;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Tls;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.NetServerOptions;
import java.util.concurrent.TimeUnit;

/** The options of a port: its address, its bounds, its encryption. */
public final class Sockets {

  /** How many requests an HTTP/2 connection may have open: a client with more waits. */
  public static final int MOST_STREAMS = 256;

  private Sockets() {}

  /** For HTTP/1.1 and HTTP/2. A connection is idle when nothing is received and nothing sent. */
  public static HttpServerOptions http(Listener listener, Bounds bounds, Connections connections) {
    HttpServerOptions options = new HttpServerOptions();
    apply(listener, bounds, connections, options);
    options
        .setMaxHeaderSize(bounds.headers())
        .setMaxInitialLineLength(bounds.headers())
        .setUseAlpn(listener.tls() != null);
    // Nobody speaks WebSocket here, and its handler fails on more than 128 requests in a row.
    options
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false);
    // Resets are no offence: Envoy resets every call that takes longer than its timeout. What they
    // could cost is bounded instead, since the work of a reset stream counts until it has ended.
    options.setHttp2RstFloodMaxRstFramePerWindow(0);
    options
        .getInitialSettings()
        .setMaxHeaderListSize(bounds.headers())
        .setMaxConcurrentStreams(MOST_STREAMS);
    return options;
  }

  /**
   * For gRPC alone. A connection is idle when nothing is received: a client that waits for an
   * answer does not wait for long, and is always read from. Looking at what is sent too would cost
   * a listener for every frame.
   */
  public static HttpServerOptions grpc(Listener listener, Bounds bounds, Connections connections) {
    HttpServerOptions options = http(listener, bounds, connections);
    options.setReadIdleTimeout(options.getIdleTimeout()).setIdleTimeout(0);
    return options;
  }

  /** For bytes of our own. */
  public static NetServerOptions net(Listener listener, Bounds bounds, Connections connections) {
    NetServerOptions options = new NetServerOptions();
    apply(listener, bounds, connections, options);
    return options;
  }

  private static void apply(
      Listener listener, Bounds bounds, Connections connections, NetServerOptions options) {
    options
        .setHost(listener.host())
        // Only for GuardedTransport, which sees nothing else of us: listen() is told the real port.
        .setPort(connections.id())
        .setIdleTimeout(Math.toIntExact(bounds.idle().toMillis()))
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setReuseAddress(true)
        .setTcpNoDelay(true);
    Tls tls = listener.tls();
    if (tls != null) {
      TlsFiles.read(tls).apply(options);
    }
  }
}
