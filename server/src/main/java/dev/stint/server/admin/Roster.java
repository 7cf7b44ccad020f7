package dev.stint.server.admin;

import dev.stint.Limit;
import dev.stint.server.config.RlsSettings;
import dev.stint.server.engine.Policies;
import dev.stint.server.engine.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that decides, in the order in which it is shown: policies, then Envoy's rules, then what came
 * with requests.
 */
final class Roster {

  /**
   * One of them.
   *
   * @param kind {@code policy}, {@code rls}, or {@code request} for what belongs to no policy
   * @param meters null if it has decided nothing yet
   * @param policy null if it is none
   */
  record Line(
      String name,
      String kind,
      List<Limit> limits,
      boolean shadow,
      @Nullable Meters meters,
      @Nullable Policy policy) {

    Counts counts() {
      return meters == null ? Counts.NONE : meters.counts();
    }
  }

  private final Metrics metrics;
  private final List<Line> lines = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final Map<String, Map<String, Meters>> rules = new HashMap<>();

  private Roster(Metrics metrics) {
    this.metrics = metrics;
  }

  static List<Line> of(Policies policies, Metrics metrics) {
    Roster roster = new Roster(metrics);
    for (Policy policy : policies.all()) {
      roster.add(policy);
    }
    policies
        .rls()
        .domains()
        .forEach((domain, nodes) -> nodes.forEach(node -> roster.add(domain, "", node)));
    roster.addCounted(policies);
    return roster.lines;
  }

  private void add(Policy policy) {
    Meters meters = metrics.policies().get(policy.name());
    List<Limit> limits = policy.settings().limits();
    add(new Line(policy.name(), "policy", limits, policy.isShadow(), meters, policy));
  }

  private void add(String domain, String parent, RlsSettings.Node node) {
    String path = node.path(parent);
    if (node.rule().isPresent()) {
      List<Limit> limits = node.rule().get().limit().map(List::of).orElse(List.of());
      Meters meters = rules.computeIfAbsent(domain, metrics.rules()::of).get(path);
      add(new Line(domain + "/" + path, "rls", limits, node.shadow(), meters, null));
    }
    node.children().forEach(child -> add(domain, path + ".", child));
  }

  /** What no configuration names: details of descriptors, limits that came with requests. */
  private void addCounted(Policies policies) {
    for (String domain : policies.rls().domains().keySet()) {
      new TreeMap<>(rules.computeIfAbsent(domain, metrics.rules()::of))
          .forEach(
              (rule, meters) ->
                  add(new Line(domain + "/" + rule, "rls", List.of(), false, meters, null)));
    }
    metrics
        .policies()
        .forEach(
            (name, meters) -> {
              if (Policies.isOwnSpace(name)) {
                add(new Line(name, "request", List.of(), false, meters, null));
              }
            });
  }

  private void add(Line line) {
    if (names.add(line.name())) {
      lines.add(line);
    }
  }
}
