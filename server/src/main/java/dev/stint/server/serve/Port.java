package dev.stint.server.serve;

import dev.stint.server.config.Listener;
import dev.stint.server.config.Tls;
import dev.stint.server.net.Connections;
import dev.stint.server.net.TlsFiles;
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
import org.jspecify.annotations.Nullable;

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
    return vertx.deployVerticle(
        Loop::new,
        new DeploymentOptions().setThreadingModel(ThreadingModel.EVENT_LOOP).setInstances(loops));
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

  /**
   * Reads the port's certificates; null if it has none.
   *
   * @throws IllegalArgumentException with a sentence, if they cannot be used
   */
  @Nullable TlsFiles readCertificates() {
    Tls tls = listener.tls();
    return tls == null || !listener.isOn() ? null : TlsFiles.read(tls);
  }

  Future<?> reloadCertificates(TlsFiles files) {
    return each(wire -> wire.reloadCertificates(files.options()));
  }

  private Future<?> each(Function<Wire, Future<Void>> action) {
    return Future.join(open.stream().map(action).toList());
  }
}
