package dev.stint.server.admin;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The meters of Envoy's rules, by domain and by the value of the label {@code rule}: the path of a
 * rule in the configuration, or with {@code detailed_metric} the values of a descriptor. Clients
 * choose the latter, so they are bounded for each rule and for all; what does not fit is counted as
 * {@code _other} of its rule. They have no histograms of their own: durations are those of the
 * rule.
 */
final class RuleMeters {

  static final int MOST_RULES = 500;
  static final int MOST_DETAILS_OF_A_RULE = 100;
  static final int MOST_DETAILS = 1000;

  private final PrometheusMeterRegistry registry;
  private final DurationCollector durations;
  private final double nearLimit;
  private final Map<String, OfDomain> domains = new ConcurrentHashMap<>();

  /** Domains with labels of details: two rules whose details read the same must not share one. */
  private final Set<String> taken = new HashSet<>();

  private final AtomicInteger rules = new AtomicInteger();
  private final AtomicInteger details = new AtomicInteger();

  RuleMeters(PrometheusMeterRegistry registry, double nearLimit) {
    this.registry = registry;
    this.durations =
        DurationCollector.register(registry.getPrometheusRegistry(), "stint_rls_decision_seconds");
    this.nearLimit = nearLimit;
  }

  /** The meters of one domain. */
  private static final class OfDomain {
    final Map<String, OfRule> byPath = new ConcurrentHashMap<>();
  }

  /** The meters of one rule. */
  private static final class OfRule {
    final Meters own;
    final Map<String, Meters> details = new ConcurrentHashMap<>();

    /** Counts the details that have no meters of their own; null until there are some. */
    volatile @Nullable Meters others;

    OfRule(Meters own) {
      this.own = own;
    }
  }

  /**
   * The meters of a rule.
   *
   * @param path where it is in the configuration
   * @param label the value of the label: the path, or a detail
   */
  Meters of(String domain, String path, String label) {
    OfDomain ofDomain = domains.get(domain);
    OfRule rule = ofDomain == null ? null : ofDomain.byPath.get(path);
    if (rule == null) {
      if (rules.get() >= MOST_RULES) {
        return createRule(LabelText.OTHER, LabelText.OTHER).own;
      }
      rule = createRule(domain, path);
    }
    if (label.equals(path)) {
      return rule.own;
    }
    Meters detail = rule.details.get(label);
    return detail != null ? detail : detail(domain, path, rule, label);
  }

  private OfRule createRule(String domain, String path) {
    OfDomain ofDomain = domains.computeIfAbsent(domain, unused -> new OfDomain());
    OfRule known = ofDomain.byPath.get(path);
    if (known != null) {
      return known;
    }
    synchronized (this) {
      return ofDomain.byPath.computeIfAbsent(
          path,
          unused -> {
            rules.incrementAndGet();
            return new OfRule(meters(domain, path, null));
          });
    }
  }

  private Meters detail(String domain, String path, OfRule rule, String label) {
    boolean fits =
        label.length() <= LabelText.LONGEST
            && rule.details.size() < MOST_DETAILS_OF_A_RULE
            && details.get() < MOST_DETAILS;
    Meters others = rule.others;
    if (!fits && others != null) {
      return others;
    }
    synchronized (this) {
      Meters known = rule.details.get(label);
      if (known != null) {
        return known;
      }
      if (fits && taken.add(domain + '\n' + label)) {
        Meters made = meters(domain, label, rule.own);
        details.incrementAndGet();
        rule.details.put(label, made);
        return made;
      }
      others = rule.others;
      if (others == null) {
        others = meters(domain, path + "." + LabelText.OTHER, rule.own);
        rule.others = others;
      }
      return others;
    }
  }

  private Meters meters(String domain, String label, @Nullable Meters of) {
    return new Meters(
        registry,
        durations,
        "stint.rls",
        nearLimit,
        of,
        "domain",
        LabelText.of(domain),
        "rule",
        LabelText.of(label));
  }

  /** The meters of a domain, by the value of the label {@code rule}. */
  Map<String, Meters> of(String domain) {
    Map<String, Meters> all = new HashMap<>();
    OfDomain ofDomain = domains.get(domain);
    if (ofDomain != null) {
      ofDomain.byPath.forEach(
          (path, rule) -> {
            all.put(path, rule.own);
            all.putAll(rule.details);
            if (rule.others != null) {
              all.put(path + "." + LabelText.OTHER, rule.others);
            }
          });
    }
    return all;
  }

  Set<String> domains() {
    return domains.keySet();
  }

  /** Forgets all but the rules of these domains; what came with requests stays with its domain. */
  synchronized void retain(Map<String, Set<String>> paths, Consumer<Meters> removed) {
    domains
        .entrySet()
        .removeIf(
            domain -> {
              Set<String> kept = paths.getOrDefault(domain.getKey(), Set.of());
              boolean gone = !paths.containsKey(domain.getKey());
              domain
                  .getValue()
                  .byPath
                  .entrySet()
                  .removeIf(
                      rule -> {
                        boolean isGone =
                            gone || (!kept.contains(rule.getKey()) && !isOwn(rule.getKey()));
                        if (isGone) {
                          remove(domain.getKey(), rule.getValue(), removed);
                        }
                        return isGone;
                      });
              return gone;
            });
  }

  private static boolean isOwn(String path) {
    return path.startsWith("_");
  }

  private void remove(String domain, OfRule rule, Consumer<Meters> removed) {
    rules.decrementAndGet();
    details.addAndGet(-rule.details.size());
    rule.details.keySet().forEach(label -> taken.remove(domain + '\n' + label));
    rule.details.values().forEach(removed);
    if (rule.others != null) {
      removed.accept(rule.others);
    }
    removed.accept(rule.own);
  }
}
