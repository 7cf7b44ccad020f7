package dev.stint.server.rls.tree;

import dev.stint.Limit;
import dev.stint.rls.RateLimitDescriptor;
import dev.stint.rls.RateLimitDescriptor.RateLimitOverride;
import dev.stint.rls.RateLimitResponse.RateLimit;
import dev.stint.server.config.RlsSettings;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All domains of one configuration. What it says never changes; a reload makes another one. */
public final class RlsTree {

  private static final int REMEMBERED = 1000;

  /** Longer details have no series of their own, so no more of them is needed. */
  private static final int LONGEST_DETAIL = 128;

  private final Map<String, Domain> domains = new HashMap<>();
  private final Set<Limit> limits = new LinkedHashSet<>();
  private final Map<OverrideKey, RlsRule> overrides = new ConcurrentHashMap<>();

  /** A limit that came with a request, and whether its domain counts refused requests. */
  private record OverrideKey(RateLimitOverride limit, boolean countDenied) {}

  private RlsTree(RlsSettings settings) {
    settings
        .domains()
        .forEach(
            (name, nodes) ->
                domains.put(
                    name, new Domain(name, nodes, !settings.uncounting().contains(name), limits)));
  }

  /** The rules of these settings. */
  public static RlsTree of(RlsSettings settings) {
    return new RlsTree(settings);
  }

  /** The limits of all rules of all domains, as they are counted. */
  public Set<Limit> limits() {
    return Collections.unmodifiableSet(limits);
  }

  /** The domain of this name; null if it is unknown. */
  public @Nullable Domain domain(String name) {
    return domains.get(name);
  }

  /** The rule for a limit that came with a request to a domain. Its unit must be known. */
  public RlsRule override(Domain domain, RateLimitOverride limit) {
    OverrideKey key = new OverrideKey(limit, domain.countsDenied());
    RlsRule known = overrides.get(key);
    if (known != null) {
      return known;
    }
    RlsRule made =
        RlsRule.override(
            Integer.toUnsignedLong(limit.getRequestsPerUnit()),
            RateLimit.Unit.forNumber(limit.getUnitValue()),
            domain.countsDenied());
    if (overrides.size() < REMEMBERED) { // the rest is made anew each time
      overrides.put(key, made);
    }
    return made;
  }

  /**
   * What metrics call a rule that decided on a descriptor: its path; or the descriptor's own values
   * where the rule wants that. Metrics bound how many there are.
   */
  public static String label(RlsRule rule, RateLimitDescriptor descriptor) {
    if (!rule.detailed()) {
      return rule.path();
    }
    StringBuilder line = new StringBuilder();
    for (RateLimitDescriptor.Entry entry : descriptor.getEntriesList()) {
      line.append(line.length() == 0 ? "" : ".").append(entry.getKey());
      if (!entry.getValue().isEmpty()) {
        line.append('_').append(entry.getValue());
      }
      if (line.length() > LONGEST_DETAIL) {
        break;
      }
    }
    return line.toString();
  }
}
