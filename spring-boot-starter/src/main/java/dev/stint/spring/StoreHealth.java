package dev.stint.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the store is, in the words of a health endpoint. It is never down: requests are decided all
 * the same, only by the policy for that case.
 */
final class StoreHealth {

  static final String UP = "UP";
  static final String DEGRADED = "DEGRADED";

  private final Stores stores;
  private final @Nullable RulesReloader reloader;

  StoreHealth(Stores stores, @Nullable RulesReloader reloader) {
    this.stores = stores;
    this.reloader = reloader;
  }

  /** Calls {@code report} with the status and its details. */
  <T> T report(Report<T> report) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("store", stores.kind());
    if (reloader != null) {
      reloader.problem().ifPresent(problem -> details.put("reload", "refused: " + problem));
    }
    return stores
        .trouble()
        .map(
            reason -> {
              details.put("reason", reason);
              return report.make(DEGRADED, details);
            })
        .orElseGet(() -> report.make(UP, details));
  }

  /** Makes what one version of Boot calls a health. */
  @FunctionalInterface
  interface Report<T> {
    T make(String status, Map<String, Object> details);
  }
}
