package dev.stint.server.http;

import dev.stint.server.config.Configuration;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.Connections;
import dev.stint.server.net.Gate;
import dev.stint.server.net.Wire;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** The JSON API and the simple check over HTTP. */
public final class HttpWire implements Wire {

  private final Engine engine;
  private final Configuration configuration;
  private final Gate gate;
  private final Connections connections;

  public HttpWire(Engine engine, Configuration configuration, Gate gate, Connections connections) {
    this.engine = engine;
    this.configuration = configuration;
    this.gate = gate;
    this.connections = connections;
  }

  @Override
  public Future<Integer> listen(Vertx vertx, int port) {
    return Future.succeededFuture(0);
  }

  @Override
  public Future<Void> drain() {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> reloadCertificates() {
    return Future.succeededFuture();
  }

  @Override
  public String toString() {
    return engine + " " + configuration + " " + gate + " " + connections;
  }
}
