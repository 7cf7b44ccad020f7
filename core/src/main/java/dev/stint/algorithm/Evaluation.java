package dev.stint.algorithm;

/**
 * The operations, each a line or two over an algorithm's five functions.
 *
 * <p>A hit brings every state up to now, <em>asks</em> every limit, and only then <em>tells</em>.
 * Because asking changes nothing, a refusal has nothing to roll back.
 */
public final class Evaluation {

  private Evaluation() {}

  /** Runs one operation on one state. {@link Operation#UNDO} needs {@link #finish}. */
  public static void run(
      Operation operation,
      Algorithm algorithm,
      State state,
      long now,
      long amount,
      Outcome outcome) {
    long n = Math.min(amount, Algorithm.MAX_COUNT);
    algorithm.advance(state, now);
    if (operation.asks()) {
      long wait = algorithm.waitFor(state, now, n);
      answer(operation, algorithm, state, now, n, wait, wait == 0, outcome);
    } else {
      tell(operation, algorithm, state, now, n);
      describe(algorithm, state, now, operation != Operation.GET, true, 0, 0, outcome);
    }
  }

  /**
   * Asks one limit for {@code n} units, and takes them if it may; leaves out the description.
   *
   * @param take whether to charge at all
   * @return whether there was room
   */
  public static boolean hit(Algorithm algorithm, State state, long now, long n, boolean take) {
    algorithm.advance(state, now);
    boolean fits = algorithm.waitFor(state, now, n) == 0;
    if (fits && take) {
      algorithm.add(state, now, n);
    } else if (take && algorithm.countsDenied()) {
      charge(algorithm, state, now, n, false);
    }
    return fits;
  }

  /**
   * Charges a hit.
   *
   * @return what was charged: all of it if it fits, otherwise what the state still takes
   */
  private static long charge(Algorithm algorithm, State state, long now, long n, boolean fits) {
    long charged = fits ? n : Math.min(n, algorithm.headroom(state, now));
    state.clipped = charged < n;
    algorithm.add(state, now, charged);
    return charged;
  }

  /**
   * Describes what a {@link #hit} left behind, as {@link #run} would have, unless the state is
   * {@linkplain State#clipped clipped}.
   */
  public static void describe(
      Algorithm algorithm,
      State state,
      long now,
      long n,
      boolean take,
      boolean fits,
      Outcome outcome) {
    algorithm.advance(state, now);
    long wait = fits ? 0 : algorithm.waitFor(state, now, n);
    boolean charged = take && (fits || algorithm.countsDenied());
    describe(algorithm, state, now, charged, fits, wait, charged ? n : 0, outcome);
  }

  /**
   * Describes an answer by what sums its state up: what {@link Outcome} has of the same names.
   *
   * @param scratch a state to work with, of no meaning before and after
   */
  public static void describe(
      Algorithm algorithm,
      State scratch,
      long now,
      long amount,
      boolean take,
      boolean fits,
      long resetAt,
      long number,
      long previous,
      long wait,
      Outcome outcome) {
    long n = Math.min(amount, Algorithm.MAX_COUNT);
    if (algorithm instanceof SlidingLog) {
      outcome.allowed = fits;
      outcome.used = number;
      outcome.remaining = Math.max(0, algorithm.capacity() - number);
      outcome.wait = wait;
      outcome.next = previous;
      outcome.now = now;
      outcome.resetAt = resetAt;
      outcome.charged = take && (fits || algorithm.countsDenied()) ? n : 0;
      outcome.stamp = resetAt - algorithm.window();
      outcome.fraction = outcome.charged > 0 && number > algorithm.capacity() ? 1 : 0;
    } else {
      scratch.reuse();
      algorithm.restore(scratch, resetAt, number, previous);
      describe(algorithm, scratch, now, n, take, fits, outcome);
    }
  }

  /**
   * The first half of an operation on several states, all or nothing: brings one of them up to now.
   *
   * @return whether it has room; true if the operation does not ask
   */
  public static boolean begin(
      Operation operation, Algorithm algorithm, State state, long now, long amount) {
    algorithm.advance(state, now);
    long n = Math.min(amount, Algorithm.MAX_COUNT);
    return !operation.asks() || algorithm.waitFor(state, now, n) == 0;
  }

  /**
   * The second half, for one of the states.
   *
   * @param all whether every limit that may refuse has room
   * @param stamp what an earlier hit left in {@link Outcome#stamp}, to undo it
   * @param fraction what it left in {@link Outcome#fraction}
   */
  public static void finish(
      Operation operation,
      Algorithm algorithm,
      State state,
      long now,
      long amount,
      boolean all,
      long stamp,
      long fraction,
      Outcome outcome) {
    long n = Math.min(amount, Algorithm.MAX_COUNT);
    if (operation.asks()) {
      long wait = algorithm.waitFor(state, now, n);
      answer(operation, algorithm, state, now, n, wait, all, outcome);
    } else if (operation == Operation.UNDO) {
      algorithm.undo(state, now, n, stamp, fraction);
      describe(algorithm, state, now, true, true, 0, 0, outcome);
    } else {
      run(operation, algorithm, state, now, amount, outcome);
    }
  }

  /** The second half of a hit or peek: everybody was asked, {@code all} says whether all agreed. */
  private static void answer(
      Operation operation,
      Algorithm algorithm,
      State state,
      long now,
      long n,
      long wait,
      boolean all,
      Outcome outcome) {
    // A denied hit leaves no trace, or a blocked caller would keep pushing its own reset away;
    // counting denied hits is the one exception, chosen by the user.
    boolean fits = wait == 0;
    boolean admitted = operation == Operation.HIT && all && fits;
    boolean counted = operation == Operation.HIT && !admitted && algorithm.countsDenied();
    long charged = admitted || counted ? charge(algorithm, state, now, n, fits) : 0;
    // The promise is for the next try, so it follows from what this one left behind. That can be a
    // wait even for a limit that had room, if another one refused.
    long rest = counted ? algorithm.waitFor(state, now, n) : wait;
    describe(algorithm, state, now, charged > 0, fits, rest, charged, outcome);
  }

  private static void tell(
      Operation operation, Algorithm algorithm, State state, long now, long n) {
    switch (operation) {
      case INC -> algorithm.add(state, now, n);
      case REFUND -> algorithm.add(state, now, -n);
      case SET -> {
        algorithm.empty(state);
        algorithm.add(state, now, n);
      }
      case RESET -> state.clear();
      case GET -> {}
      case HIT, PEEK, UNDO ->
          throw new IllegalArgumentException(operation + " must not be told alone");
    }
  }

  private static void describe(
      Algorithm algorithm,
      State state,
      long now,
      boolean changed,
      boolean fits,
      long wait,
      long charged,
      Outcome outcome) {
    long capacity = algorithm.capacity();
    long used = algorithm.used(state, now);
    long remaining = Math.max(0, capacity - used);
    outcome.allowed = fits;
    outcome.changed = changed || state.moved;
    outcome.used = used;
    outcome.remaining = remaining;
    outcome.wait = wait;
    outcome.next =
        remaining == capacity ? Outcome.FULL : algorithm.waitFor(state, now, remaining + 1);
    outcome.now = now;
    outcome.resetAt = algorithm.resetAt(state, now);
    outcome.charged = charged;
    outcome.stamp = state.time;
    outcome.fraction = state.fraction;
    outcome.number = state.log == null ? state.number() : used;
    outcome.previous = state.log == null ? state.previous : outcome.next;
  }
}
