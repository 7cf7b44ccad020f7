package dev.stint.server.engine;

import dev.stint.Limit;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.config.RlsSettings;
import dev.stint.server.rls.tree.RlsTree;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All policies of one configuration. It never changes; a reload makes another one. */
public final class Policies {

  /** The keyspace of limits that are given with a request. No policy can have this name. */
  private static final String IN_REQUESTS = "_request";

  /** The keyspace of {@code CL.THROTTLE}. */
  public static final String THROTTLE = "_cl";

  /** The names under which limits that come with requests are counted. */
  public static final Set<String> OWN_SPACES = Set.of(IN_REQUESTS, THROTTLE);

  private static final int REMEMBERED = 1000;

  /** How many limits a request may bring: each is counted, answered and remembered. */
  private static final int MOST_LIMITS = 16;

  private final Stores stores;
  private final Map<String, Policy> byName = new LinkedHashMap<>();
  private final Map<String, Policy> fromRequests = new ConcurrentHashMap<>();
  private final RlsSettings rls;
  private final RlsTree domains;
  private final Policy throttle;

  private Policies(Configuration configuration, Stores stores) {
    this.stores = stores;
    this.rls = configuration.rls();
    this.domains = RlsTree.of(rls);
    PolicySettings anyLimit =
        PolicySettings.of(List.of(Limit.tokenBucket(1, Duration.ofSeconds(1))));
    this.throttle = new Policy(THROTTLE, anyLimit, stores, null);
    configuration
        .policies()
        .forEach((name, settings) -> byName.put(name, policy(configuration, name, settings)));
    prepareLimits();
  }

  /** Limits that come with requests are not among them, or clients could use up their memory. */
  private void prepareLimits() {
    Set<Limit> limits = new LinkedHashSet<>(domains.limits());
    byName.values().forEach(policy -> limits.addAll(policy.limits()));
    stores.prepare(limits);
  }

  /** The policies of a configuration. */
  static Policies of(Configuration configuration, Stores stores) {
    return new Policies(configuration, stores);
  }

  /** The policies of a later configuration. */
  Policies next(Configuration configuration) {
    return new Policies(configuration, stores);
  }

  private Policy policy(Configuration configuration, String name, PolicySettings settings) {
    String candidate = settings.candidate().orElse(null);
    PolicySettings tried = candidate == null ? null : configuration.policies().get(candidate);
    return new Policy(
        name,
        settings,
        stores,
        tried == null ? null : new Policy(String.valueOf(candidate), tried, stores, null));
  }

  /** The policy of this name; null if there is none. */
  public @Nullable Policy find(String name) {
    return byName.get(name);
  }

  /** Whether it is no policy that has this name, but limits that came with requests. */
  public static boolean isOwnSpace(String name) {
    return OWN_SPACES.contains(name);
  }

  /** All that have a name, in the order of the configuration. */
  public Collection<Policy> all() {
    return byName.values();
  }

  /** What {@code CL.THROTTLE} is counted as; each call brings a limit of its own. */
  public Policy throttle() {
    return throttle;
  }

  /** The domains of Envoy's service. */
  public RlsSettings rls() {
    return rls;
  }

  /** The same, made ready for lookups. */
  public RlsTree domains() {
    return domains;
  }

  /**
   * A policy for limits that came with a request, such as {@code 10/minute; 100/day}.
   *
   * @throws IllegalArgumentException if they are not limits
   */
  public Policy ofRequest(String limits) {
    Policy known = fromRequests.get(limits);
    if (known != null) {
      return known;
    }
    List<Limit> parsed = Limit.parseAll(limits);
    if (parsed.size() > MOST_LIMITS) {
      throw new IllegalArgumentException(
          "a request must have at most "
              + MOST_LIMITS
              + " limits, had "
              + parsed.size()
              + "; make them a policy");
    }
    Policy made = new Policy(IN_REQUESTS, PolicySettings.of(parsed), stores, null);
    if (fromRequests.size() < REMEMBERED) { // the rest is parsed anew each time
      fromRequests.put(limits, made);
    }
    return made;
  }
}
