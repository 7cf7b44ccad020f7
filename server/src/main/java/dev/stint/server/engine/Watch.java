package dev.stint.server.engine;

import dev.stint.Decision;

/**
 * Who looks on while decisions are made: metrics, top keys. It must be quick and must not throw.
 */
public interface Watch {

  /**
   * A policy has decided.
   *
   * <p>It is told the words of the decision, not the decision: that one never becomes an object on
   * the heap where nobody keeps it.
   *
   * @param key what was counted, readable only until this call returns
   * @param remaining what was left then of the limit that decided
   * @param capacity the most that could be
   * @param nanos how long it took
   */
  void decided(
      Policy policy,
      byte[] key,
      boolean allowed,
      boolean degraded,
      long remaining,
      long capacity,
      long nanos);

  /** A policy and its candidate have decided on the same request. */
  void compared(Policy live, boolean liveAllows, Policy candidate, boolean candidateAllows);

  /**
   * A rule of Envoy's service has decided.
   *
   * @param rule the path of the rule, from the configuration alone
   */
  void decided(String domain, String rule, boolean shadow, Decision decision, long nanos);

  /** Nobody looks. */
  Watch NOBODY =
      new Watch() {
        @Override
        public void decided(
            Policy policy,
            byte[] key,
            boolean allowed,
            boolean degraded,
            long remaining,
            long capacity,
            long nanos) {}

        @Override
        public void compared(
            Policy live, boolean liveAllows, Policy candidate, boolean candidateAllows) {}

        @Override
        public void decided(
            String domain, String rule, boolean shadow, Decision decision, long nanos) {}
      };
}
