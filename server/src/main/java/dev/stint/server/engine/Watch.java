package dev.stint.server.engine;

import dev.stint.Decision;
import dev.stint.algorithm.Operation;

/** Observes decisions: metrics, top keys. It must be quick and must not throw. */
public interface Watch {

  /**
   * A policy has decided.
   *
   * <p>The fields of the decision are passed one by one, so that no object has to be made of them
   * on the heap.
   *
   * @param key what was counted, readable only until this call returns
   * @param operation a hit or a peek
   * @param units its cost
   * @param remaining what was left then of the limit that decided
   * @param capacity the most that could be left
   * @param began when it began, as {@link System#nanoTime} has it
   * @param ended when it had been decided
   */
  void decided(
      Policy policy,
      byte[] key,
      Operation operation,
      long units,
      boolean allowed,
      boolean degraded,
      long remaining,
      long capacity,
      long began,
      long ended);

  /** A policy and its candidate have decided on the same request. */
  void compared(Policy live, boolean liveAllows, Policy candidate, boolean candidateAllows);

  /**
   * A rule of Envoy's service has decided.
   *
   * @param path the path of the rule, from the configuration alone
   * @param label what metrics call it: the path, or the values of the descriptor where the rule
   *     wants that
   * @param operation a hit or a peek
   * @param units its cost
   * @param began when it began, as {@link System#nanoTime} has it
   * @param ended when it had been decided
   */
  void decided(
      String domain,
      String path,
      String label,
      boolean shadow,
      Operation operation,
      long units,
      Decision decision,
      long began,
      long ended);

  /** Observes nothing. */
  Watch NOBODY =
      new Watch() {
        @Override
        public void decided(
            Policy policy,
            byte[] key,
            Operation operation,
            long units,
            boolean allowed,
            boolean degraded,
            long remaining,
            long capacity,
            long began,
            long ended) {}

        @Override
        public void compared(
            Policy live, boolean liveAllows, Policy candidate, boolean candidateAllows) {}

        @Override
        public void decided(
            String domain,
            String path,
            String label,
            boolean shadow,
            Operation operation,
            long units,
            Decision decision,
            long began,
            long ended) {}
      };
}
