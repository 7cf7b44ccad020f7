package dev.stint.server.config;

/** Where the service listens. */
public record Listeners(Listener http, Listener grpc, Listener resp, Listener admin) {

  /** The usual ports; administration only from this machine. */
  public static Listeners standard() {
    return new Listeners(
        Listener.on(8080), Listener.on(8081), Listener.on(6380), Listener.on("127.0.0.1", 9090));
  }
}
