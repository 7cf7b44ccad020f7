package dev.stint.server.http;

import dev.stint.algorithm.Operation;
import dev.stint.server.engine.Policy;
import org.jspecify.annotations.Nullable;

/**
 * What somebody asks for.
 *
 * @param problem what is wrong with it; then nothing else of it matters
 */
record Ask(
    Operation operation,
    @Nullable Policy policy,
    byte[] key,
    long units,
    @Nullable String problem) {

  private static final byte[] NO_KEY = {};

  static Ask wrong(String problem) {
    return new Ask(Operation.PEEK, null, NO_KEY, 1, problem);
  }

  /** The policy of a request that is right. */
  Policy known() {
    if (policy == null) {
      throw Refused.bad(String.valueOf(problem));
    }
    return policy;
  }
}
