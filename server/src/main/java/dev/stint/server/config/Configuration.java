package dev.stint.server.config;

import dev.stint.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Everything that the service is told, checked and ready to use.
 *
 * @param policies by name, in the order of the file
 * @param clients who may use the service, and for what
 */
public record Configuration(
    StoreSettings store,
    Listeners listeners,
    Map<String, PolicySettings> policies,
    RlsSettings rls,
    Clients clients,
    Bounds bounds,
    Telemetry telemetry) {

  /** The policy that is asked where none is named. */
  public static final String DEFAULT_POLICY = "default";

  /** What the service does without a word of configuration: 5 a minute for each key. */
  public static Configuration standard() {
    return new Configuration(
        StoreSettings.memory(),
        Listeners.standard(),
        Map.of(DEFAULT_POLICY, PolicySettings.of(fivePerMinute())),
        RlsSettings.none(),
        Clients.unspecified(),
        Bounds.standard(),
        Telemetry.standard());
  }

  /** A window that starts with a key's first request, as the simplest services have it. */
  private static List<Limit> fivePerMinute() {
    return List.of(Limit.fixedWindowPerKey(5, Duration.ofMinutes(1)).countingDenied());
  }

  /** The same with other policies. */
  public Configuration withPolicies(Map<String, PolicySettings> others) {
    return new Configuration(store, listeners, others, rls, clients, bounds, telemetry);
  }

  /** The same with another store. */
  public Configuration withStore(StoreSettings other) {
    return new Configuration(other, listeners, policies, rls, clients, bounds, telemetry);
  }

  /** The same on other ports. */
  public Configuration withListeners(Listeners others) {
    return new Configuration(store, others, policies, rls, clients, bounds, telemetry);
  }

  /** The same with other domains. */
  public Configuration withRls(RlsSettings other) {
    return new Configuration(store, listeners, policies, other, clients, bounds, telemetry);
  }

  /** The same for other clients. */
  public Configuration withClients(Clients others) {
    return new Configuration(store, listeners, policies, rls, others, bounds, telemetry);
  }

  /** The same within other bounds. */
  public Configuration withBounds(Bounds others) {
    return new Configuration(store, listeners, policies, rls, clients, others, telemetry);
  }

  /** The same, watched otherwise. */
  public Configuration withTelemetry(Telemetry other) {
    return new Configuration(store, listeners, policies, rls, clients, bounds, other);
  }
}
