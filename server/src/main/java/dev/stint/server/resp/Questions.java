package dev.stint.server.resp;

import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Operation;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Policy;
import org.jspecify.annotations.Nullable;

/**
 * {@code STINT.HIT}, {@code STINT.PEEK} and {@code STINT.RESET}.
 *
 * <p>A decision is six integers: allowed (1 or 0), the amount of the limit, what remains of it,
 * milliseconds until it is worth trying again (0 if allowed, -1 for never), milliseconds until the
 * key is as good as new (-1 for never), and degraded (1 if the store could not be asked). Times are
 * rounded up.
 */
final class Questions {

  private static final int POLICY = 1;
  private static final int KEY = 2;
  private static final int COST = 3;
  private static final long MILLI = 1000;

  private final Engine engine;
  private final Keys keys;
  private final PolicyNames policies;
  private final Numbers numbers = new Numbers();

  Questions(Engine engine, Keys keys) {
    this.engine = engine;
    this.keys = keys;
    this.policies = new PolicyNames(engine);
  }

  void ask(Operation operation, Connection connection, Frame frame, Reply reply) {
    Policy policy = policy(frame, reply);
    if (policy == null || !keys.accept(frame, KEY, reply)) {
      return;
    }
    long cost = frame.count() > COST ? frame.number(COST, 0) : 1;
    if (cost < 1) {
      reply.error("ERR cost must be a whole number and at least 1: " + frame.quoted(COST));
      return;
    }
    if (engine.isLocal()) {
      numbers.ask(engine, operation, policy, null, keys.take(frame, KEY), cost);
      tell(reply, policy.isShadow(), numbers);
    } else {
      connection.later(
          engine.askAsync(operation, policy, Keys.copy(frame, KEY), cost),
          (later, decision) -> tell(later, policy.isShadow(), numbers.of(decision)));
    }
  }

  void reset(Connection connection, Frame frame, Reply reply) {
    Policy policy = policy(frame, reply);
    if (policy != null && keys.accept(frame, KEY, reply)) {
      connection.later(
          engine.tell(Operation.RESET, policy, Keys.copy(frame, KEY), 1),
          (later, decision) -> later.ok());
    }
  }

  private @Nullable Policy policy(Frame frame, Reply reply) {
    Policy policy = policies.find(frame, POLICY);
    if (policy == null) {
      reply.error("ERR unknown policy " + frame.quoted(POLICY) + "; there are: " + policies.some());
    }
    return policy;
  }

  private static void tell(Reply reply, boolean shadow, Numbers numbers) {
    boolean allowed = shadow || numbers.allowed;
    reply.array(6);
    reply.integer(allowed ? 1 : 0);
    reply.integer(numbers.amount);
    reply.integer(numbers.remaining);
    reply.integer(allowed ? 0 : millisUp(numbers.wait));
    reply.integer(millisUp(numbers.reset));
    reply.integer(numbers.degraded ? 1 : 0);
  }

  private static long millisUp(long micros) {
    return micros >= Algorithm.NEVER ? -1 : (micros + MILLI - 1) / MILLI;
  }
}
