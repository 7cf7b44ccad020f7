package dev.stint.server.resp;

import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Operation;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Policy;

/**
 * {@code CL.THROTTLE}, as the redis-cell module has it: whole seconds, rounded up, and -1 where
 * there is nothing to wait for.
 *
 * <p>A key's state belongs to its period, and goes on when the other numbers change.
 */
final class Throttle {

  private static final int KEY = 1;
  private static final int MAX_BURST = 2;
  private static final int COUNT = 3;
  private static final int PERIOD = 4;
  private static final int QUANTITY = 5;

  private static final long NO_NUMBER = Long.MIN_VALUE;
  private static final long SECOND = 1_000_000;

  private final Engine engine;
  private final Keys keys;
  private final Numbers numbers = new Numbers();
  private final BucketCache buckets = new BucketCache();

  Throttle(Engine engine, Keys keys) {
    this.engine = engine;
    this.keys = keys;
  }

  void run(Connection connection, Frame frame, Reply reply) {
    long burst = frame.number(MAX_BURST, NO_NUMBER);
    long count = frame.number(COUNT, NO_NUMBER);
    long period = frame.number(PERIOD, NO_NUMBER);
    long quantity = frame.count() > QUANTITY ? frame.number(QUANTITY, NO_NUMBER) : 1;
    if (burst < 0 || count < 1 || period < 1 || quantity < 0) {
      complain(frame, reply);
      return;
    }
    if (!keys.accept(frame, KEY, reply)) {
      return;
    }
    Limit limit;
    try {
      limit = buckets.get(burst, count, period);
    } catch (IllegalArgumentException e) {
      reply.error("ERR " + e.getMessage());
      return;
    }
    // Of nothing it can only be asked whether there is a debt already.
    Operation operation = quantity == 0 ? Operation.PEEK : Operation.HIT;
    Policy policy = engine.policies().throttle();
    if (engine.isLocal()) {
      numbers.ask(engine, operation, policy, limit, keys.take(frame, KEY), quantity);
      tell(reply, limit.capacity(), numbers);
    } else {
      connection.later(
          engine.askAsync(operation, policy, limit, Keys.copy(frame, KEY), quantity),
          (later, decision) -> tell(later, limit.capacity(), numbers.of(decision)));
    }
  }

  private static void tell(Reply reply, long capacity, Numbers numbers) {
    boolean waits = !numbers.allowed && numbers.wait < Algorithm.NEVER;
    reply.array(5);
    reply.integer(numbers.allowed ? 0 : 1);
    reply.integer(capacity);
    reply.integer(numbers.remaining);
    reply.integer(waits ? secondsUp(numbers.wait) : -1);
    reply.integer(secondsUp(numbers.reset));
  }

  private static long secondsUp(long micros) {
    return (micros + SECOND - 1) / SECOND;
  }

  private static void complain(Frame frame, Reply reply) {
    if (!isAtLeast(frame, reply, MAX_BURST, "max_burst", 0)
        || !isAtLeast(frame, reply, COUNT, "count_per_period", 1)
        || !isAtLeast(frame, reply, PERIOD, "period_s", 1)) {
      return;
    }
    isAtLeast(frame, reply, QUANTITY, "quantity", 0);
  }

  private static boolean isAtLeast(
      Frame frame, Reply reply, int argument, String name, long least) {
    long number = frame.number(argument, NO_NUMBER);
    if (number == NO_NUMBER) {
      reply.error(
          "ERR value is not an integer or out of range: "
              + name
              + " must be a whole number: "
              + frame.quoted(argument));
    } else if (number < least) {
      reply.error("ERR " + name + " must be at least " + least + ": " + number);
    }
    return number >= least;
  }
}
