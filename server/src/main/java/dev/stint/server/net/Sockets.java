package dev.stint.server.net;

import dev.stint.server.config.Bounds;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Tls;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The options of a port: its address, its bounds, its encryption. */
public final class Sockets {

  /** How many requests an HTTP/2 connection may have open: a client with more waits. */
  public static final int MOST_STREAMS = 256;

  private Sockets() {}

  /** For HTTP/1.1 and HTTP/2, gRPC included. */
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
      options.setSsl(true).setKeyCertOptions(certificate(tls));
      if (tls.clientCa() != null) {
        options.setClientAuth(ClientAuth.REQUIRED).setTrustOptions(signers(tls.clientCa()));
      }
    }
  }

  /** The encryption of a port for {@code updateSSLOptions}, so that its files are read again. */
  public static ServerSSLOptions encryption(Tls tls) {
    ServerSSLOptions ssl = new ServerSSLOptions();
    ssl.setKeyCertOptions(certificate(tls));
    if (tls.clientCa() != null) {
      ssl.setClientAuth(ClientAuth.REQUIRED).setTrustOptions(signers(tls.clientCa()));
    }
    return ssl;
  }

  private static PemKeyCertOptions certificate(Tls tls) {
    return new PemKeyCertOptions()
        .addCertPath(tls.certificate().toString())
        .addKeyPath(tls.key().toString());
  }

  private static PemTrustOptions signers(Path file) {
    return new PemTrustOptions().addCertPath(file.toString());
  }
}
