package dev.stint.server.resp;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Policy;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * What a decision says, in plain numbers, to be used again for the next one.
 *
 * <p>A decision that is only read is no object on the heap, if the compiler sees all that happens
 * to it in one method of moderate size. Left alone, it makes one method of all from the reading of
 * the bytes to the writing of the digits, gets lost in it, and allocates. A call through a handle
 * that is no constant is never inlined, so it draws the line where it is needed.
 */
final class Numbers {

  private final MethodHandle here = here();

  boolean allowed;
  boolean degraded;
  long amount;
  long remaining;

  /** In microseconds; {@link Algorithm#NEVER} if the cost never fits. */
  long wait;

  /** In microseconds; {@link Algorithm#NEVER} for a quota that was touched. */
  long reset;

  private static MethodHandle here() {
    MethodType type =
        MethodType.methodType(
            void.class,
            Engine.class,
            Operation.class,
            Policy.class,
            Limit.class,
            byte[].class,
            long.class);
    try {
      return MethodHandles.lookup().findVirtual(Numbers.class, "askHere", type);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("askHere is below", e);
    }
  }

  /**
   * Asks an engine that is here, and keeps only the numbers of its decision.
   *
   * @param limit null to ask the limits of the policy
   */
  void ask(
      Engine engine,
      Operation operation,
      Policy policy,
      @Nullable Limit limit,
      byte[] key,
      long cost) {
    try {
      here.invokeExact(this, engine, operation, policy, limit, key, cost);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("nothing else is thrown", e);
    }
  }

  @SuppressWarnings("UnusedMethod") // but by its handle
  private void askHere(
      Engine engine,
      Operation operation,
      Policy policy,
      @Nullable Limit limit,
      byte[] key,
      long cost) {
    if (limit == null) {
      of(engine.ask(operation, policy, key, cost));
    } else {
      of(engine.ask(operation, policy, limit, key, cost));
    }
  }

  /** The numbers of this decision. */
  Numbers of(Decision decision) {
    Outcome outcome = decision.outcome();
    allowed = decision.allowed();
    degraded = decision.degraded();
    amount = decision.amount();
    remaining = outcome.remaining;
    wait = outcome.wait;
    reset = outcome.resetAt >= Algorithm.NEVER ? Algorithm.NEVER : outcome.resetAt - outcome.now;
    return this;
  }
}
