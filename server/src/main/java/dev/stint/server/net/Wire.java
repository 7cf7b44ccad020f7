package dev.stint.server.net;

import io.vertx.core.Future;
import io.vertx.core.Vertx;

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

  /** Takes no more connections, answers what it was asked, and is done. */
  Future<Void> drain();

  /** Reads the certificates again; connections that are open keep theirs. */
  Future<Void> reloadCertificates();
}
