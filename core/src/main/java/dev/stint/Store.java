package dev.stint;

import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A place where limits are counted; all it knows is how to run an operation atomically.
 *
 * <p>Users hand a store to {@link RateLimiter#of(Store, Limit...)} and talk to that. Implement one
 * to count elsewhere, and have its test extend {@code StoreContract} of the test kit. The numbers
 * of an operation (a hit's cost, the n of a set) are the {@linkplain KeyedLimit#cost() costs} of
 * the limits.
 *
 * <p>What happens when a store cannot be asked is said by putting stores together: {@code
 * redis.orElse(memory.share(4))}, {@code redis.orElse(Store.denying())}.
 *
 * <p>A store is safe for use by many threads.
 */
public interface Store extends AutoCloseable {

  /**
   * Runs an operation on several limits together, all or nothing.
   *
   * @return every limit's answer and which one decided
   * @throws StoreException if the store cannot be asked
   * @throws IllegalArgumentException if the call makes no sense, see {@link #check(Operation,
   *     List)}
   */
  Decision run(Operation operation, List<KeyedLimit> limits);

  /** Runs an operation on one limit. Override it where that can be done for less. */
  default Decision run(Operation operation, Limit limit, Key key, long amount) {
    check(operation, limit, key, amount);
    return run(operation, List.of(new KeyedLimit(limit, key, amount)));
  }

  /**
   * A hit or a peek that never fails: when the store cannot be asked, the request is admitted, and
   * the decision says why. A store that cannot fail has nothing to catch.
   */
  default Decision ask(Operation operation, Limit limit, Key key, long cost) {
    try {
      return run(operation, limit, key, cost);
    } catch (StoreException e) {
      return Calls.degraded(this, List.of(new KeyedLimit(limit, key, cost)), e);
    }
  }

  /**
   * The same for several limits on one key, all or nothing. Override it where that can be done for
   * less.
   *
   * @param limits never to be changed, since the decision may hold them
   */
  default Decision askAll(Operation operation, List<Limit> limits, Key key, long cost) {
    List<KeyedLimit> asked = Calls.on(limits, key, cost);
    try {
      return run(operation, asked);
    } catch (StoreException e) {
      return Calls.degraded(this, asked, e);
    }
  }

  /**
   * As {@link #ask(Operation, Limit, Key, long)}, writing the numbers of the answer into {@code
   * told} and making no decision of them. For hot paths where allocating a {@code Decision} costs
   * more than the decision itself. Override it where that can be done for less.
   *
   * @param scratch a state to work with, of no meaning before and after
   */
  default void ask(
      Operation operation, Limit limit, Key key, long cost, Outcome told, State scratch) {
    ask(operation, limit, key, cost).describe(told, scratch);
  }

  /** As {@link #run(Operation, List)}, without blocking a thread where the store is far away. */
  default CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    try {
      return CompletableFuture.completedFuture(run(operation, limits));
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * This store; and where it cannot be asked, {@code fallback}.
   *
   * <p>A hit or peek that fails here is answered there, and its decision is {@linkplain
   * Decision#degraded() degraded}, with the reason of the failure here. Only if both fail, the call
   * does. A refund of a decision goes to the store that charged. {@code reset} goes to both, so
   * that the key is free in either, and throws if either failed. All else ({@code inc}, {@code
   * refund} of units, {@code set}, {@code get}) goes to this store alone, and throws if it fails.
   *
   * <p>The two count apart: while this store is away, the fallback knows nothing of what was used
   * here, and nothing comes back when it returns. Time and trouble are this store's. Cleaning
   * cleans both, and closing closes both.
   */
  default Store orElse(Store fallback) {
    return new Fallback(this, fallback);
  }

  /**
   * This store for one of several instances that each count for themselves: every limit's amount
   * and burst are divided by {@code instances}, rounded down, and are 1 at least.
   *
   * <p>A hit or peek that costs more than the share, but no more than the limit's capacity, asks
   * for the whole share; one that costs more than that never fits, as ever. The numbers of all
   * other operations are taken as they are. Decisions speak of the share.
   */
  default Store share(int instances) {
    if (instances < 1) {
      throw new IllegalArgumentException("instances must be at least 1: " + instances);
    }
    return instances == 1 ? this : new Share(this, instances);
  }

  /**
   * A store that counts nothing and admits everything: a fallback for those who would rather serve
   * too much than nothing. Its decisions are degraded, and show every limit as free.
   */
  static Store admitting() {
    return Fixed.ADMITTING;
  }

  /**
   * A store that counts nothing and denies everything: a fallback for those who would rather serve
   * nothing than too much. Its decisions are degraded, and show every limit as used up, with the
   * advice to come back in a second, or in a window if that is shorter; a cost above the limit's
   * capacity never fits, as ever. Other operations than hit and peek do nothing, and answer that
   * nothing is in use.
   */
  static Store denying() {
    return Fixed.DENYING;
  }

  /**
   * Why this store cannot be asked at the moment, as far as it knows; empty if it can.
   *
   * <p>It tells what earlier calls have shown and asks nobody, so that a health check may look as
   * often as it likes.
   */
  default Optional<String> trouble() {
    return Optional.empty();
  }

  /**
   * Refuses a call that makes no sense, with what must be and what was: nothing is null, there is
   * at least one limit, no limit and key are named twice, and the units of a hit, an inc, a refund
   * or an undo are at least 1. (A set takes 0, and a peek at 0 units asks whether a limit is
   * exceeded already.)
   *
   * <p>For stores: call it first in {@link #run(Operation, List)} and {@link #runAsync}. A limiter
   * has checked its calls before, but a store can also be called directly.
   *
   * @throws IllegalArgumentException if the call makes no sense
   */
  static void check(Operation operation, List<KeyedLimit> limits) {
    Calls.check(operation, limits);
  }

  /** As {@link #check(Operation, List)}, for one limit. */
  static void check(Operation operation, Limit limit, Key key, long amount) {
    Calls.check(operation, limit, key, amount);
  }

  /** As {@link #check(Operation, List)}, for several limits on one key. */
  static void checkAll(Operation operation, List<Limit> limits, Key key, long amount) {
    Calls.checkAll(operation, limits, key, amount);
  }

  /** Forgets everything that has expired, and tells how many states that were. */
  long clean();

  /**
   * Whether keys can be read out of this store, so that whoever counts by secrets (tokens,
   * addresses) must hand it a hash instead. Yes, unless a store knows better: in memory only a
   * fingerprint is kept.
   */
  default boolean keepsKeys() {
    return true;
  }

  /**
   * Tells the store which limits it will be asked about for as long as it lives, as opposed to
   * limits that are given in a call. {@link RateLimiter#of(Store, Limit...)} does it for a
   * limiter's own limits; do it yourself for limits that come from a configuration. May be
   * repeated.
   *
   * <p>A store that is bounded may set memory aside for them, so that no other limit can use it up.
   * Do it before the first call: what was counted before may be forgotten. A store around another
   * passes it on.
   */
  default void prepare(Collection<Limit> limits) {}

  /** The clock that this store decides by. */
  TimeSource time();

  /** Releases what the store holds. */
  @Override
  void close();
}
