package dev.stint.server.http;

import dev.stint.algorithm.Operation;
import dev.stint.server.engine.Policy;
import org.jspecify.annotations.Nullable;

/** What somebody asks for; or, in a batch, what is wrong with it. */
final class Ask {

  private static final byte[] NO_KEY = {};

  private final Operation operation;
  private final @Nullable Policy policy;
  private final byte[] key;
  private final long units;
  private final @Nullable String problem;

  private Ask(
      Operation operation,
      @Nullable Policy policy,
      byte[] key,
      long units,
      @Nullable String problem) {
    this.operation = operation;
    this.policy = policy;
    this.key = key;
    this.units = units;
    this.problem = problem;
  }

  static Ask of(Operation operation, Policy policy, byte[] key, long units) {
    return new Ask(operation, policy, key, units, null);
  }

  static Ask wrong(String problem) {
    return new Ask(Operation.PEEK, null, NO_KEY, 1, problem);
  }

  /** What is wrong; null if nothing is. Otherwise nothing else matters. */
  @Nullable String problem() {
    return problem;
  }

  Operation operation() {
    return operation;
  }

  Policy policy() {
    if (policy == null) {
      throw Refused.bad(String.valueOf(problem));
    }
    return policy;
  }

  /** How many limits it is under. */
  int limits() {
    return policy == null ? 0 : policy.limitCount();
  }

  byte[] key() {
    return key;
  }

  long units() {
    return units;
  }
}
