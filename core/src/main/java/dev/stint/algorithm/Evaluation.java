package dev.stint.algorithm;

/**
 * The operations, each a line or two over an algorithm's five functions.
 *
 * <p>A hit brings every state up to now, <em>asks</em> every limit, and only then <em>tells</em>.
 * Because asking changes nothing, a refusal has nothing to roll back.
 */
public final class Evaluation {

  private Evaluation() {}

  /**
   * One limit's part in a joint operation.
   *
   * @param shadow charged if it alone fits, and never refuses
   * @param stamp what an earlier hit left in {@link Outcome#stamp}, to undo it
   * @param fraction what it left in {@link Outcome#fraction}
   */
  public record Part(
      Algorithm algorithm,
      State state,
      long now,
      long amount,
      boolean shadow,
      long stamp,
      long fraction) {

    long n() {
      return Math.min(amount, Algorithm.MAX_COUNT);
    }
  }

  /** Runs one operation on one state. {@link Operation#UNDO} needs a {@link Part}. */
  public static Outcome run(
      Operation operation, Algorithm algorithm, State state, long now, long amount) {
    long n = Math.min(amount, Algorithm.MAX_COUNT);
    algorithm.advance(state, now);
    if (operation.asks()) {
      long wait = algorithm.waitFor(state, now, n);
      return answer(operation, algorithm, state, now, n, wait, wait == 0);
    }
    return tell(operation, algorithm, state, now, n);
  }

  /** Runs one operation on several states, all or nothing; the answers come in the parts' order. */
  public static Outcome[] run(Operation operation, Part[] parts) {
    Outcome[] outcomes = new Outcome[parts.length];
    long[] waits = new long[parts.length];
    boolean all = true;
    for (int i = 0; i < parts.length; i++) {
      Part p = parts[i];
      p.algorithm.advance(p.state, p.now);
      waits[i] = operation.asks() ? p.algorithm.waitFor(p.state, p.now, p.n()) : 0;
      all &= p.shadow || waits[i] == 0;
    }
    for (int i = 0; i < parts.length; i++) {
      Part p = parts[i];
      if (operation.asks()) {
        outcomes[i] = answer(operation, p.algorithm, p.state, p.now, p.n(), waits[i], all);
      } else if (operation == Operation.UNDO) {
        p.algorithm.undo(p.state, p.now, p.n(), p.stamp, p.fraction);
        outcomes[i] = describe(p.algorithm, p.state, p.now, true, 0, 0);
      } else {
        outcomes[i] = tell(operation, p.algorithm, p.state, p.now, p.n());
      }
    }
    return outcomes;
  }

  /** The second half of a hit or peek: everybody was asked, {@code all} says whether all agreed. */
  private static Outcome answer(
      Operation operation, Algorithm algorithm, State state, long now, long n, long wait, boolean all) {
    // A denied hit leaves no trace, or a blocked caller would keep pushing its own reset away;
    // counting denied hits is the one exception, chosen by the user.
    boolean charge =
        operation == Operation.HIT && (all && wait == 0 || algorithm.countsDenied());
    if (charge) {
      algorithm.add(state, now, n);
    }
    return describe(algorithm, state, now, charge, wait, charge ? n : 0);
  }

  private static Outcome tell(
      Operation operation, Algorithm algorithm, State state, long now, long n) {
    switch (operation) {
      case INC -> algorithm.add(state, now, n);
      case REFUND -> algorithm.add(state, now, -n);
      case SET -> {
        state.clear();
        algorithm.add(state, now, n);
      }
      case RESET -> state.clear();
      case GET -> {}
      case HIT, PEEK, UNDO -> throw new IllegalArgumentException(operation + " takes a part");
    }
    return describe(algorithm, state, now, operation != Operation.GET, 0, 0);
  }

  private static Outcome describe(
      Algorithm algorithm, State state, long now, boolean changed, long wait, long charged) {
    long used = algorithm.used(state, now);
    long capacity = algorithm.capacity();
    long remaining = Math.max(0, capacity - used);
    long next =
        remaining == capacity ? Outcome.FULL : algorithm.waitFor(state, now, remaining + 1);
    return new Outcome(
        wait == 0,
        changed,
        used,
        remaining,
        wait,
        next,
        now,
        algorithm.resetAt(state, now),
        charged,
        state.time,
        state.fraction);
  }
}
