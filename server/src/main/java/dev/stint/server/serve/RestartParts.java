package dev.stint.server.serve;

import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** The parts of a configuration that are only read at the start. */
enum RestartParts {
  STORE("store", Configuration::store),
  LISTENERS("listeners", configuration -> withoutTokens(configuration.listeners())),
  ADMIN_TOKEN("listeners.admin.token", RestartParts::hasAdminToken),
  METRICS_TOKEN(
      "listeners.metrics.token",
      configuration -> configuration.listeners().metrics().token() != null),
  BOUNDS("bounds", Configuration::bounds),
  TELEMETRY("telemetry", Configuration::telemetry),
  RLS_DEADLINE("rls.deadline", configuration -> configuration.rls().deadline());

  private final String key;

  @SuppressWarnings("ImmutableEnumChecker") // all of them are without state
  private final Function<Configuration, Object> value;

  RestartParts(String key, Function<Configuration, Object> value) {
    this.key = key;
    this.value = value;
  }

  /** What it is called in the file. */
  String key() {
    return key;
  }

  /** The parts that are not the same in both. */
  static Set<RestartParts> between(Configuration started, Configuration next) {
    Set<RestartParts> parts = EnumSet.noneOf(RestartParts.class);
    for (RestartParts part : values()) {
      if (!Objects.equals(part.value.apply(started), part.value.apply(next))) {
        parts.add(part);
      }
    }
    return parts;
  }

  /** Another token takes effect without a restart. */
  private static Listeners withoutTokens(Listeners listeners) {
    return new Listeners(
        listeners.http(),
        listeners.grpc(),
        listeners.resp(),
        listeners.admin().token(null),
        listeners.metrics().token(null));
  }

  /** To take the token away would open the port, which may be one that others can reach. */
  private static boolean hasAdminToken(Configuration configuration) {
    Listener admin = configuration.listeners().admin();
    return admin.token() != null;
  }
}
