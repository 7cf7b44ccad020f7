package dev.stint.server.rls.tree;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Outcome;
import dev.stint.http.StoredKey;
import dev.stint.rls.RateLimitResponse.RateLimit;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.config.RlsSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a descriptor is under.
 *
 * @param path where it stands in the configuration, for metrics
 * @param shadow whether it only watches
 * @param detailed whether metrics tell the descriptor's values too
 * @param limit null if there is nothing to count, because all or nothing is allowed
 * @param always the answer of a rule without a limit; null if there is a limit
 * @param window how long its unit is
 * @param told how clients are told of it
 * @param name empty if it has none
 * @param replaces names of the rules that it switches off
 */
public record RlsRule(
    String path,
    boolean shadow,
    boolean detailed,
    @Nullable Limit limit,
    @Nullable Decision always,
    Duration window,
    RateLimit told,
    String name,
    List<String> replaces,
    OnStoreError onStoreError) {

  private static final String OVERRIDE = "_override";
  private static final String KEYSPACE = "_rls";
  private static final int HASH_BYTES = 6;
  private static final Base64.Encoder SHORT = Base64.getUrlEncoder().withoutPadding();
  private static final Key NOBODY = Key.of(0);

  static RlsRule of(String domain, String path, RlsSettings.Node node, RlsSettings.Rule terms) {
    // Where everything is allowed, the configuration has no unit.
    RateLimit.Unit unit =
        terms.unlimited()
            ? RateLimit.Unit.UNKNOWN
            : RateLimit.Unit.valueOf(terms.unit().toUpperCase(Locale.ROOT));
    Duration window = length(unit).multipliedBy(Math.max(1, terms.unitMultiplier()));
    Limit limit =
        terms.unlimited()
            ? null
            : terms.limit().map(one -> one.named(keyspace(domain, path))).orElse(null);
    return new RlsRule(
        path,
        node.shadow(),
        node.detailedMetric(),
        limit,
        limit == null ? always(terms.unlimited(), window) : null,
        window,
        told(terms.perUnit(), unit, terms.name()),
        terms.name(),
        terms.replaces(),
        terms.onStoreError());
  }

  /**
   * Each rule has a keyspace of its own: rules that shared one would share overflow cells too, and
   * a rule with a high limit could fill those of a rule with a low one.
   */
  private static String keyspace(String domain, String path) {
    byte[] hash = StoredKey.hash((domain + "\n" + path).getBytes(StandardCharsets.UTF_8));
    return KEYSPACE + "." + SHORT.encodeToString(Arrays.copyOf(hash, HASH_BYTES));
  }

  /**
   * A rule that a request brought along, in windows of the clock. It is never counted where rules
   * of the configuration are, or clients could use up their memory.
   */
  static RlsRule override(long perUnit, RateLimit.Unit unit, boolean countDenied) {
    Duration window = length(unit);
    Limit limit = perUnit == 0 ? null : Limit.fixedWindow(perUnit, window).named(OVERRIDE);
    limit = limit != null && countDenied ? limit.countingDenied() : limit;
    return new RlsRule(
        OVERRIDE,
        false,
        false,
        limit,
        limit == null ? always(false, window) : null,
        window,
        told(perUnit, unit, ""),
        "",
        List.of(),
        OnStoreError.LOCAL);
  }

  /** Whether everything passes. */
  public boolean unlimited() {
    return always != null && always.allowed();
  }

  private static RateLimit told(long perUnit, RateLimit.Unit unit, String name) {
    return RateLimit.newBuilder()
        .setRequestsPerUnit((int) perUnit) // its 32 bits are read as unsigned
        .setUnit(unit)
        .setName(name)
        .build();
  }

  private static Decision always(boolean allowed, Duration window) {
    Outcome outcome = new Outcome();
    outcome.allowed = allowed;
    outcome.remaining = allowed ? Algorithm.MAX_COUNT : 0;
    outcome.wait = allowed ? 0 : Algorithm.NEVER;
    outcome.next = allowed ? Outcome.FULL : Algorithm.NEVER;
    // No limit is this one: an amount cannot be zero, nor endless.
    Limit stand = Limit.fixedWindow(1, window).named(KEYSPACE);
    return Decision.of(stand, NOBODY, outcome, false);
  }

  private static Duration length(RateLimit.Unit unit) {
    return switch (unit) {
      case SECOND, UNKNOWN, UNRECOGNIZED -> Duration.ofSeconds(1);
      case MINUTE -> Duration.ofMinutes(1);
      case HOUR -> Duration.ofHours(1);
      case DAY -> Duration.ofDays(1);
      case WEEK -> Duration.ofDays(7);
      case MONTH -> Duration.ofDays(30);
      case YEAR -> Duration.ofDays(365);
    };
  }
}
