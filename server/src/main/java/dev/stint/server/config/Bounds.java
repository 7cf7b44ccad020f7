package dev.stint.server.config;

import java.time.Duration;
import java.util.Map;

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
 * @param shutdownDelay how long the service goes on answering, but is not ready, before that
 */
public record Bounds(
    int body,
    int headers,
    int key,
    int batch,
    int descriptors,
    int connections,
    Duration idle,
    Duration drain,
    Duration shutdownDelay) {

  /** What Kubernetes needs to learn that a pod takes no more requests, and a little more. */
  private static final Duration KUBERNETES_DELAY = Duration.ofSeconds(5);

  /** Bounds without a shutdown delay. */
  public Bounds(
      int body,
      int headers,
      int key,
      int batch,
      int descriptors,
      int connections,
      Duration idle,
      Duration drain) {
    this(body, headers, key, batch, descriptors, connections, idle, drain, Duration.ZERO);
  }

  /** The default bounds in this environment: a pod of Kubernetes has a shutdown delay. */
  public static Bounds in(Map<String, String> environment) {
    return environment.getOrDefault("KUBERNETES_SERVICE_HOST", "").isEmpty()
        ? standard()
        : standard().withShutdownDelay(KUBERNETES_DELAY);
  }

  /** These bounds with another shutdown delay. */
  public Bounds withShutdownDelay(Duration delay) {
    return new Bounds(body, headers, key, batch, descriptors, connections, idle, drain, delay);
  }

  /** The default bounds. */
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
