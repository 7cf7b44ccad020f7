package dev.stint.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the service listens.
 *
 * @param metrics metrics, health and readiness without the rest of the administration
 */
public record Listeners(
    Listener http, Listener grpc, Listener resp, Listener admin, Listener metrics) {

  /** No listener for metrics: the administration has them too. */
  public Listeners(Listener http, Listener grpc, Listener resp, Listener admin) {
    this(http, grpc, resp, admin, Listener.on(Listener.OFF));
  }

  /** Why listeners cannot be so; {@code wire} is the one to change. */
  public record Trouble(String wire, String sentence) {}

  /** The usual ports; administration only from this machine. */
  public static Listeners standard() {
    return new Listeners(
        Listener.on(8080), Listener.on(8081), Listener.on(6380), Listener.on("127.0.0.1", 9090));
  }

  /** The listeners by the names of their wires. */
  public Map<String, Listener> byWire() {
    Map<String, Listener> all = new LinkedHashMap<>();
    all.put("http", http);
    all.put("grpc", grpc);
    all.put("resp", resp);
    all.put("admin", admin);
    all.put("metrics", metrics);
    return all;
  }

  /** What is wrong with them together, and with an administration that anybody could reach. */
  public List<Trouble> troubles() {
    List<Trouble> troubles = new ArrayList<>();
    Map<String, Listener> seen = new LinkedHashMap<>();
    byWire()
        .forEach(
            (wire, listener) -> {
              seen.forEach(
                  (other, before) -> {
                    if (listener.collidesWith(before)) {
                      troubles.add(
                          new Trouble(
                              wire,
                              String.format(
                                  "%s and %s must have different ports, both have %d; change one",
                                  other, wire, listener.port())));
                    }
                  });
              seen.put(wire, listener);
            });
    if (admin.isOn() && !admin.isGuarded()) {
      troubles.add(
          new Trouble(
              "admin",
              "admin must listen on this machine only, was '"
                  + admin.host()
                  + "'; use 127.0.0.1, or give it a token-env, token-file or tls with client-ca"));
    }
    return troubles;
  }
}
