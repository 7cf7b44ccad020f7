package dev.stint.promises;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/**
 * A thread that makes random calls over some limits and keys: hits of one limit and of several, on
 * one key and on different ones, with limits that only watch; peeks; refunds of earlier hits; and
 * charges without asking. It remembers what it was told, and how long calls took.
 */
final class RandomCaller implements Callable<RandomCaller> {

  private static final int MOST_LIMITS = 4;
  private static final int MOST_COST = 3;

  /** A hit that may be refunded. */
  private record Hit(List<KeyedLimit> asked, Decision decision) {}

  /** A call that took long, in nanoseconds of {@link System#nanoTime}. */
  record SlowCall(long start, long end) {}

  private final RateLimiter limiter;
  private final List<Limit> limits;
  private final List<String> keys;
  private final boolean increments;
  private final long operations;
  private final long slow;
  private final SplittableRandom random;

  private final Ledger ledger = new Ledger();
  private final List<Hit> refundable = new ArrayList<>();
  private final List<SlowCall> slowCalls = new ArrayList<>();
  private long hits;
  private long refused;
  private long refunds;
  private long longest;

  /**
   * A caller to be.
   *
   * @param limiter made with {@code limits}, in this order
   * @param increments whether it also charges without asking
   * @param slow calls that take longer are remembered, in nanoseconds
   */
  RandomCaller(
      RateLimiter limiter,
      List<Limit> limits,
      List<String> keys,
      boolean increments,
      long operations,
      long slow,
      long seed) {
    this.limiter = limiter;
    this.limits = limits;
    this.keys = keys;
    this.increments = increments;
    this.operations = operations;
    this.slow = slow;
    this.random = new SplittableRandom(seed);
  }

  @Override
  public RandomCaller call() {
    for (long i = 0; i < operations; i++) {
      long start = System.nanoTime();
      step();
      long end = System.nanoTime();
      longest = Math.max(longest, end - start);
      if (end - start > slow) {
        slowCalls.add(new SlowCall(start, end));
      }
    }
    return this;
  }

  private void step() {
    int dice = random.nextInt(100);
    if (dice < 45) {
      hit(joint());
    } else if (dice < 55) {
      hit(List.of(one()));
    } else if (dice < 60) {
      hitOwnLimits();
    } else if (dice < 70) {
      check(limiter.peek(joint().toArray(KeyedLimit[]::new)));
    } else if (dice < 75 && increments) {
      KeyedLimit one = one();
      limiter.inc(one);
      ledger.add(place(one), one.cost());
    } else if (!refundable.isEmpty()) {
      refund();
    }
  }

  private void hit(List<KeyedLimit> asked) {
    take(asked, limiter.hit(asked.toArray(KeyedLimit[]::new)));
  }

  private void hitOwnLimits() {
    String key = key();
    long cost = cost();
    List<KeyedLimit> asked = limits.stream().map(limit -> limit.on(key).cost(cost)).toList();
    take(asked, limiter.hit(key, cost));
  }

  private void take(List<KeyedLimit> asked, Decision decision) {
    check(decision);
    hits++;
    ledger.add(asked, decision, 1);
    if (decision.allowed()) {
      refundable.add(new Hit(asked, decision));
    } else {
      refused++;
    }
  }

  /** Gives one of the admitted hits back, often a recent one. */
  private void refund() {
    int last = refundable.size() - 1;
    int at = random.nextBoolean() ? last : random.nextInt(last + 1);
    Hit hit = refundable.set(at, refundable.get(last));
    refundable.remove(last);
    limiter.refund(hit.decision);
    ledger.add(hit.asked, hit.decision, -1);
    refunds++;
  }

  /** Only charges without asking exceed a limit. */
  private void check(Decision decision) {
    for (Decision one : decision.limits()) {
      // A caller that was suspended after it read the clock sees a full bucket before it has begun
      // to leak; rounding up then adds a unit to what it is told.
      long most = one.amount() + (one.limit().kind().isBucket() ? 1 : 0);
      if (one.shared() || one.degraded() || (!increments && one.used() > most)) {
        throw new AssertionError(
            "must have a row, and at most %d in use: %s, %d in use"
                .formatted(most, one, one.used()));
      }
    }
  }

  private List<KeyedLimit> joint() {
    int count = 1 + random.nextInt(MOST_LIMITS);
    String shared = random.nextBoolean() ? key() : "";
    Set<Ledger.Place> places = new LinkedHashSet<>();
    while (places.size() < count) {
      places.add(new Ledger.Place(limit(), shared.isEmpty() ? key() : shared));
    }
    List<KeyedLimit> asked = new ArrayList<>();
    for (Ledger.Place place : places) {
      KeyedLimit one = place.limit().on(place.key()).cost(cost());
      asked.add(random.nextInt(4) == 0 ? one.shadow() : one);
    }
    return asked;
  }

  private KeyedLimit one() {
    return limit().on(key()).cost(cost());
  }

  private Limit limit() {
    return limits.get(random.nextInt(limits.size()));
  }

  private String key() {
    return keys.get(random.nextInt(keys.size()));
  }

  private long cost() {
    return 1L + random.nextInt(MOST_COST);
  }

  private static Ledger.Place place(KeyedLimit one) {
    return new Ledger.Place(one.limit(), one.key().toString());
  }

  Ledger ledger() {
    return ledger;
  }

  List<SlowCall> slowCalls() {
    return slowCalls;
  }

  long hits() {
    return hits;
  }

  long refused() {
    return refused;
  }

  long refunds() {
    return refunds;
  }

  long longest() {
    return longest;
  }
}
