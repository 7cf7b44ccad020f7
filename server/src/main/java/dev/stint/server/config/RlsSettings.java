package dev.stint.server.config;

import dev.stint.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The domains of Envoy's rate limit service.
 *
 * @param deadline how long a decision may wait for the store: Envoy itself waits 20 ms
 * @param domains by name
 * @param uncounting the names of those domains in which a refused request is not counted under a
 *     limit that it brought along
 */
public record RlsSettings(
    Duration deadline, Map<String, List<Node>> domains, Set<String> uncounting) {

  /** Domains in which refused requests are counted. */
  public RlsSettings(Duration deadline, Map<String, List<Node>> domains) {
    this(deadline, domains, Set.of());
  }

  /**
   * One descriptor of the tree. An empty value matches any, and {@code *} any run of characters.
   */
  public record Node(
      String key,
      Optional<String> value,
      Optional<Rule> rule,
      boolean shadow,
      boolean detailedMetric,
      List<Node> children) {

    /** What its rule is called in metrics, below a parent that is called so and ends with a dot. */
    public String path(String parent) {
      return parent + key + value.filter(text -> !text.isEmpty()).map("_"::concat).orElse("");
    }
  }

  /**
   * What is allowed at a node.
   *
   * @param limit empty if nothing is: {@code requests_per_unit: 0}
   * @param perUnit the amount as configured
   * @param unit the word of the unit, such as {@code minute}
   * @param name empty if it has none
   * @param replaces names of the rules that this one switches off
   */
  public record Rule(
      Optional<Limit> limit,
      boolean unlimited,
      long perUnit,
      String unit,
      int unitMultiplier,
      String name,
      List<String> replaces,
      OnStoreError onStoreError) {}

  /** No domain at all. */
  public static RlsSettings none() {
    return new RlsSettings(Duration.ofMillis(12), Map.of());
  }
}
