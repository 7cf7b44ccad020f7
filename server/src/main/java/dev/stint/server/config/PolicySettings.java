package dev.stint.server.config;

import dev.stint.Limit;
import dev.stint.http.HeaderFormat;
import java.util.List;
import java.util.Optional;

/**
 * A policy as configured.
 *
 * @param limits decided together, all or nothing
 * @param hashKeys whether keys are hashed before they reach a store, a log or the list of top keys
 * @param shadow whether it only watches: everything passes, and what would not have is counted
 * @param overrides other limits for some keys
 * @param candidate the policy to be tried on the same traffic, without effect
 */
public record PolicySettings(
    List<Limit> limits,
    boolean hashKeys,
    boolean shadow,
    OnStoreError onStoreError,
    HeaderFormat headers,
    List<Override> overrides,
    Optional<String> candidate) {

  /**
   * Other limits for a key, or for all keys that begin alike. An exact key wins over a prefix, and
   * a longer prefix over a shorter one.
   */
  @SuppressWarnings("JavaLangClash") // always written with the name of the policy before it
  public record Override(String text, boolean isPrefix, List<Limit> limits) {}

  /** A policy with these limits and the usual settings. */
  public static PolicySettings of(List<Limit> limits) {
    return new PolicySettings(
        limits, false, false, OnStoreError.LOCAL, HeaderFormat.IETF, List.of(), Optional.empty());
  }
}
