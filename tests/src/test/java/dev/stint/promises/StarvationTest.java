package dev.stint.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.Limit.Kind;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * However many keys other limits have filled the store with, a new key is refused for want of a row
 * only through its own limit's cells, and its decision says that it is shared.
 *
 * <p>{@code -Dstint.starvation.keys=n} says how many keys fill the store. Quotas are left out: a
 * new quota is always denied once the store is full.
 */
class StarvationTest {

  private static final int FILLING_KEYS = Integer.getInteger("stint.starvation.keys", 120_000);
  private static final int NEW_KEYS = 10_000;
  private static final int CELLS = 4096;
  private static final int ROWS = 1_000;

  /** As many limits as can fill any number of cells that a store may have for all of them. */
  private static final int FILLING_LIMITS = 64;

  /** The longest that is accepted. What it counts does not expire. */
  private static final Duration LONGEST = Duration.ofDays(50 * 365);

  /** More than the fullest cell has keys. */
  private static final int AMPLE = 100;

  /** Less than many cells have keys, so that some must be refused. */
  private static final int SCARCE = 3;

  /** Standard deviations; chance exceeds them less than once in 10^15 runs. */
  private static final double MARGIN = 8;

  private final ManualTime time = ManualTime.create();
  private final MemoryStore store =
      MemoryStore.builder()
          .time(time)
          .cleanPeriod(Duration.ZERO)
          .maxKeys(ROWS)
          .logBudget(50_000)
          .build();

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUOTA")
  void limits_given_in_calls_do_not_starve_the_limits_of_a_limiter(Kind kind) {
    List<Limit> made = limits("made", Kind.values(), AMPLE, SCARCE);
    List<RateLimiter> limiters = made.stream().map(limit -> RateLimiter.of(store, limit)).toList();
    RateLimiter calls = RateLimiter.of(store);
    List<Limit> filling = fillingLimits(kind);
    for (int i = 0; i < FILLING_KEYS; i++) {
      calls.hit(filling.get(i % FILLING_LIMITS).on("filling:" + i));
    }
    checkAll("limits given in calls, " + kind.word(), made, limiters);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUOTA")
  void limits_given_in_calls_leave_rows_set_apart_from_them_free(Kind kind) {
    List<Limit> made = limits("made", Kind.values(), 1); // two keys that shared a cell would show
    int rows = made.size() * NEW_KEYS;
    try (MemoryStore apart =
        MemoryStore.builder()
            .time(time)
            .cleanPeriod(Duration.ZERO)
            .maxKeys(rows)
            .callKeys(ROWS)
            .build()) {
      RateLimiter calls = RateLimiter.of(apart);
      List<Limit> filling = fillingLimits(kind);
      for (int i = 0; i < FILLING_KEYS; i++) {
        calls.hit(filling.get(i % FILLING_LIMITS).on("filling:" + i));
      }
      assertThat(apart.callKeys()).as("rows of limits given in calls").isEqualTo(ROWS);
      assertThat(apart.keys()).as("all rows in use").isEqualTo(ROWS);

      int refused = 0;
      for (Limit limit : made) {
        RateLimiter limiter = RateLimiter.of(apart, limit);
        for (int i = 0; i < NEW_KEYS; i++) {
          Decision hit = limiter.hit("new:" + i);
          refused += hit.allowed() && !hit.shared() ? 0 : 1;
        }
      }
      System.out.printf(
          "Starvation: %,d keys of limits given in calls, %s, with rows of their own; then of %,d"
              + " new keys of each of %d limits %,d refused or shared%n",
          FILLING_KEYS, kind.word(), NEW_KEYS, made.size(), refused);
      assertThat(refused).as("new keys refused or shared").isZero();
      assertThat(apart.keys() - apart.callKeys()).as("rows of limiters").isEqualTo(rows);
    }
  }

  @Test
  void a_limit_that_is_prepared_uses_the_rows_of_limiters_also_when_it_is_given_in_a_call() {
    try (MemoryStore apart = MemoryStore.builder().time(time).callKeys(1).build()) {
      Limit planned = limit(Kind.FIXED_WINDOW, 1).named("planned");
      Limit unknown = limit(Kind.FIXED_WINDOW, 1).named("unknown");
      apart.prepare(List.of(planned));
      RateLimiter calls = RateLimiter.of(apart);
      assertThat(calls.hit(unknown.on("full")).allowed()).isTrue();
      for (int i = 0; i < 100; i++) {
        assertThat(calls.hit(planned.on("new:" + i)).shared()).isFalse();
      }
      assertThat(calls.hit(unknown.on("new")).shared()).isTrue();
      assertThat(apart.callKeys()).isEqualTo(1);
      assertThat(apart.keys()).isEqualTo(101);
    }
  }

  @Test
  void a_call_over_limits_of_both_kinds_is_all_or_nothing() {
    try (MemoryStore apart = MemoryStore.builder().time(time).callKeys(ROWS).build()) {
      Limit made = limit(Kind.FIXED_WINDOW, 2).named("made");
      Limit given = limit(Kind.TOKEN_BUCKET, 1).named("given");
      RateLimiter limiter = RateLimiter.of(apart, made);
      assertThat(limiter.hit(made.on("a"), given.on("a")).allowed()).isTrue();
      assertThat(limiter.hit(made.on("a"), given.on("a")).allowed()).isFalse();
      assertThat(limiter.get(made.on("a"))).isEqualTo(1);
      assertThat(limiter.hit(made.on("a").cost(2), given.on("b")).allowed()).isFalse();
      assertThat(limiter.get(given.on("b"))).isZero();
      assertThat(apart.callKeys()).isEqualTo(1);
      assertThat(apart.keys()).isEqualTo(2);
    }
  }

  @Test
  void limits_of_limiters_do_not_starve_those_of_another() {
    List<Limit> made = limits("made", Kind.values(), AMPLE, SCARCE);
    List<RateLimiter> limiters = made.stream().map(limit -> RateLimiter.of(store, limit)).toList();
    List<RateLimiter> filling = new ArrayList<>();
    for (Limit limit : fillingLimits(Kind.TOKEN_BUCKET)) {
      filling.add(RateLimiter.of(store, limit));
    }
    for (int i = 0; i < FILLING_KEYS; i++) {
      filling.get(i % FILLING_LIMITS).hit("filling:" + i);
    }
    checkAll("limits of other limiters", made, limiters);
  }

  @Test
  void a_limiter_made_after_the_store_was_filled_is_not_starved_either() {
    RateLimiter calls = RateLimiter.of(store);
    List<Limit> filling = fillingLimits(Kind.FIXED_WINDOW);
    for (int i = 0; i < FILLING_KEYS; i++) {
      calls.hit(filling.get(i % FILLING_LIMITS).on("filling:" + i));
    }
    List<Limit> made = limits("late", Kind.values(), AMPLE, SCARCE);
    List<RateLimiter> limiters = made.stream().map(limit -> RateLimiter.of(store, limit)).toList();
    checkAll("limits given in calls before", made, limiters);
  }

  @Test
  void logs_that_have_spent_the_budget_do_not_starve_other_logs() {
    List<Limit> made = limits("made", new Kind[] {Kind.SLIDING_LOG}, AMPLE, SCARCE);
    List<RateLimiter> limiters = made.stream().map(limit -> RateLimiter.of(store, limit)).toList();
    RateLimiter calls = RateLimiter.of(store);
    Limit filling = Limit.slidingLog(1_000, LONGEST).named("filling");
    for (int i = 0; i < FILLING_KEYS; i++) {
      time.advanceMicros(1); // entries of one moment merge
      calls.hit(filling.on("filling:" + i % (ROWS / 2)));
    }
    assertThat(store.keys()).as("rows in use").isLessThan(ROWS);
    assertThat(store.logEntries()).as("entries of logs").isGreaterThanOrEqualTo(50_000);
    checkAll("a spent log budget", made, limiters);
  }

  /** One limit of each kind and amount; quotas left out. */
  private static List<Limit> limits(String name, Kind[] kinds, int... amounts) {
    List<Limit> limits = new ArrayList<>();
    for (Kind kind : kinds) {
      for (int amount : amounts) {
        if (kind != Kind.QUOTA) {
          limits.add(limit(kind, amount).named(name + "-" + amount));
        }
      }
    }
    return limits;
  }

  private static List<Limit> fillingLimits(Kind kind) {
    List<Limit> limits = new ArrayList<>();
    for (int i = 0; i < FILLING_LIMITS; i++) {
      limits.add(limit(kind, 1).named("filling-" + i));
    }
    return limits;
  }

  private static Limit limit(Kind kind, int amount) {
    return Limit.parse("%d per %d days %s".formatted(amount, LONGEST.toDays(), kind.word()));
  }

  private void checkAll(String filler, List<Limit> made, List<RateLimiter> limiters) {
    List<String> violations = new ArrayList<>();
    int mostAmple = 0;
    int mostScarce = 0;
    for (int i = 0; i < made.size(); i++) {
      Limit limit = made.get(i);
      int refused = refusedNewKeys(limiters.get(i), limit, violations);
      if (limit.amount() == AMPLE) {
        mostAmple = Math.max(mostAmple, refused);
      } else {
        mostScarce = Math.max(mostScarce, refused);
      }
      long explained = explainedByCells((int) limit.amount());
      if (refused > explained) {
        violations.add(
            "%s refused %,d of %,d new keys, where its own cells explain %,d"
                .formatted(limit, refused, NEW_KEYS, explained));
      }
    }
    System.out.printf(
        "Starvation: %,d keys of %s; then of %,d new keys of each of %d limits at most %,d refused"
            + " at %d a cell (%,d explained), %,d at %d a cell (%,d explained)%n",
        FILLING_KEYS,
        filler,
        NEW_KEYS,
        made.size(),
        mostAmple,
        AMPLE,
        explainedByCells(AMPLE),
        mostScarce,
        SCARCE,
        explainedByCells(SCARCE));
    assertThat(violations).isEmpty();
  }

  /** How many of the new keys are refused; each of these must say that it is shared. */
  private int refusedNewKeys(RateLimiter limiter, Limit limit, List<String> violations) {
    int refused = 0;
    int unmarked = 0;
    int peeked = 0;
    for (int i = 0; i < NEW_KEYS; i++) {
      String key = "new:" + i;
      boolean peek = limiter.peek(key).allowed();
      Decision hit = limiter.hit(key);
      refused += hit.allowed() ? 0 : 1;
      unmarked += hit.allowed() || hit.shared() ? 0 : 1;
      peeked += peek == hit.allowed() ? 0 : 1;
    }
    if (unmarked > 0) {
      violations.add("%s refused %,d new keys without saying shared".formatted(limit, unmarked));
    }
    if (peeked > 0) {
      violations.add("%s answered %,d peeks otherwise than the hit".formatted(limit, peeked));
    }
    return refused;
  }

  /**
   * The most refusals that cells explain. Every key falls into one of them at random, and a cell
   * that {@code n} keys fall into refuses max(0, n − amount) of them. The numbers of keys in the
   * cells are negatively associated, so the variance of the sum is at most the sum of variances.
   */
  private static long explainedByCells(int amount) {
    double odds = 1.0 / (CELLS - 1);
    double probability = Math.pow(1 - 1.0 / CELLS, NEW_KEYS); // that no key falls into a cell
    double mean = 0;
    double square = 0;
    for (int n = 0; n < NEW_KEYS; n++) {
      int excess = Math.max(0, n - amount);
      mean += probability * excess;
      square += probability * excess * excess;
      probability *= odds * (NEW_KEYS - n) / (n + 1);
    }
    double deviation = Math.sqrt(CELLS * (square - mean * mean));
    return (long) Math.floor(CELLS * mean + MARGIN * deviation);
  }

  @Test
  void the_explanation_is_what_throwing_keys_at_cells_comes_to() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 20; round++) {
      int[] keys = new int[CELLS];
      for (int i = 0; i < NEW_KEYS; i++) {
        keys[random.nextInt(CELLS)]++;
      }
      long refused = 0;
      for (int n : keys) {
        refused += Math.max(0, n - SCARCE);
      }
      long explained = explainedByCells(SCARCE);
      assertThat(refused).isBetween(explained * 7 / 10, explained);
    }
    assertThat(explainedByCells(AMPLE)).isZero();
  }
}
