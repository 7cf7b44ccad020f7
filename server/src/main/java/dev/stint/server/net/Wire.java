package dev.stint.server.net;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;

/**
 * A protocol on a port. Each event loop has one of its own, so that a wire is never asked by two
 * threads at once.
 */
public interface Wire {

  /**
   * Listens.
   *
   * @param port where to listen; negative for a free port that all event loops share
   * @return the port it is
   */
  Future<Integer> listen(Vertx vertx, int port);

  /** The service will stop soon: what tells of its health says so from now on. */
  default void unready() {}

  /**
   * Takes no more connections, answers the requests it has read, and closes its connections.
   *
   * @param within when connections are closed whatever is still missing
   */
  Future<Void> drain(Duration within);

  /** Uses these certificates for new connections; connections that are open keep theirs. */
  Future<Void> reloadCertificates(ServerSSLOptions certificates);
}
