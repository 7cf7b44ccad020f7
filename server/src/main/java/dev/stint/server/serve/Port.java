package dev.stint.server.serve;

import dev.stint.server.config.Listener;
import dev.stint.server.net.Connections;
import dev.stint.server.net.Wire;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

/** A port that is listened on, by one wire on each of several event loops. */
final class Port {

  private final int id;
  private final int loops;
  private final Listener listener;
  private final Supplier<Wire> wires;
  private final Connections connections;
  private final List<Wire> open = new CopyOnWriteArrayList<>();
  private volatile int number;

  /**
   * A port to be opened.
   *
   * @param id a number that no other port of the service has
   */
  Port(int id, int loops, Listener listener, Supplier<Wire> wires, Connections connections) {
    this.id = id;
    this.loops = loops;
    this.listener = listener;
    this.wires = wires;
    this.connections = connections;
  }

  Future<?> open(Vertx vertx) {
    if (!listener.isOn()) {
      return Future.succeededFuture();
    }
    // One after the other: of several instances in one deployment that all fail, as they do when
    // the port is in use, Vert.x completes its promise more than once and logs a stack trace.
    DeploymentOptions options =
        new DeploymentOptions().setThreadingModel(ThreadingModel.EVENT_LOOP);
    Future<?> opened = Future.succeededFuture();
    for (int i = 0; i < loops; i++) {
      opened = opened.compose(before -> vertx.deployVerticle(new Loop(), options));
    }
    return opened;
  }

  private final class Loop extends VerticleBase {
    @Override
    public Future<?> start() {
      Wire wire = wires.get();
      // Of a negative port Vert.x makes a free one, shared by all who ask with the same number.
      int asked = listener.port() == 0 ? -id : listener.port();
      return wire.listen(vertx, asked)
          .onSuccess(
              port -> {
                number = port;
                open.add(wire);
              });
    }
  }

  /** The port in use; 0 if there is none. */
  int number() {
    return number;
  }

  Listener listener() {
    return listener;
  }

  Connections connections() {
    return connections;
  }

  void unready() {
    open.forEach(Wire::unready);
  }

  Future<?> drain(Duration within) {
    return each(wire -> wire.drain(within));
  }

  Future<?> reloadCertificates() {
    return each(Wire::reloadCertificates);
  }

  private Future<?> each(Function<Wire, Future<Void>> action) {
    return Future.join(open.stream().map(action).toList());
  }
}
