package dev.stint.server.config;

import java.time.Duration;

/**
 * How much a client may ask of the service.
 *
 * @param body bytes of a request's body or message
 * @param headers bytes of a request's headers
 * @param key bytes of a key
 * @param batch checks in one batch
 * @param descriptors descriptors in one request of Envoy's
 * @param connections open connections on each port
 * @param idle how long a connection may do nothing, or take to send one request
 * @param drain how long running requests may take to end when the service is stopped
 */
public record Bounds(
    int body,
    int headers,
    int key,
    int batch,
    int descriptors,
    int connections,
    Duration idle,
    Duration drain) {

  /** The usual bounds. */
  public static Bounds standard() {
    return new Bounds(
        1 << 20,
        8 << 10,
        4 << 10,
        1000,
        1000,
        10_000,
        Duration.ofSeconds(60),
        Duration.ofSeconds(10));
  }
}
