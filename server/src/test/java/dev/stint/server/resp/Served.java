package dev.stint.server.resp;

import dev.stint.Limit;
import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.config.Secret;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.server.serve.Service;
import dev.stint.testkit.ManualTime;
import java.util.List;
import java.util.Map;

/** A service that listens to Redis' protocol only. */
final class Served implements AutoCloseable {

  final ManualTime time = ManualTime.create();
  final Service service;

  private Served(Configuration configuration) {
    Stores stores =
        configuration.store().isMemory()
            ? Stores.inMemory(time)
            : Stores.open(configuration.store(), configuration.rls().deadline());
    this.service = Service.start(configuration, new Engine(configuration, stores, Watch.NOBODY));
  }

  /** A policy {@code api} with three a minute, and {@code export} with a quota of ten. */
  static Configuration configuration() {
    Listener off = Listener.on("127.0.0.1", Listener.OFF);
    return Configuration.standard()
        .withListeners(new Listeners(off, off, Listener.on("127.0.0.1", 0), off))
        .withPolicies(
            Map.of(
                "api", PolicySettings.of(List.of(Limit.parse("3/minute"))),
                "export", PolicySettings.of(List.of(Limit.quota(10)))));
  }

  static Served start() {
    return start(configuration());
  }

  static Served start(Configuration configuration) {
    return new Served(configuration);
  }

  static Served forClientsOnly() {
    return start(
        configuration()
            .withClients(
                Clients.of(Map.of("shop", ClientSettings.changing(Secret.of("open sesame"))))));
  }

  int port() {
    return service.respPort();
  }

  RawClient client() {
    return new RawClient(port());
  }

  @Override
  public void close() {
    service.close();
  }
}
