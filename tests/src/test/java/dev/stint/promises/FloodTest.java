package dev.stint.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.StoreException;
import dev.stint.memory.MemoryStore;
import dev.stint.memory.Overflow;
import dev.stint.testkit.ManualTime;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A flood of distinct keys stays in the budget, and nobody who is known pays for it. */
class FloodTest {

  private static final int ROWS = 100_000;
  private static final long MIB = 1 << 20;

  private final ManualTime time = ManualTime.create();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "5/hour",
        "5/hour fixed-window-per-key",
        "5/hour sliding-counter",
        "5/hour sliding-log",
      })
  void five_million_keys_leave_known_keys_alone_and_the_heap_bounded(String rate) {
    flood(rate, rate.equals("5/hour") ? 5_000_000 : 500_000);
  }

  @Test
  @Tag("nightly")
  void a_hundred_million_keys_leave_known_keys_alone_and_the_heap_bounded() {
    flood("5/hour", 100_000_000);
  }

  private void flood(String rate, long strangers) {
    MemoryStore store =
        MemoryStore.builder().maxKeys(ROWS).time(time).cleanPeriod(Duration.ZERO).build();
    RateLimiter limiter = RateLimiter.of(store, Limit.parse(rate));
    for (int i = 0; i < ROWS; i++) {
      Decision known = limiter.hit("known:" + i, 1 + i % 4);
      assertThat(known.allowed() && !known.shared()).isTrue();
    }
    long before = usedHeap();
    for (long i = 0; i < strangers; i++) {
      if (!limiter.hit("stranger:" + i).shared()) {
        Assertions.fail("stranger " + i + " has no row, so its answer must say shared");
      }
    }
    assertThat(usedHeap() - before).isLessThan(64 * MIB);
    assertThat(store.keys()).isEqualTo(ROWS);
    assertThat(store.overflowCells()).isBetween(1L, 4096L);

    // Every known key has kept its count to the unit, and gets exactly the rest.
    for (int i = 0; i < ROWS; i++) {
      String key = "known:" + i;
      assertThat(limiter.get(key)).isEqualTo(1 + i % 4);
      Decision rest = limiter.hit(key, 4 - i % 4);
      Decision beyond = limiter.hit(key);
      assertThat(rest.allowed() && !beyond.allowed()).isTrue();
      assertThat(rest.shared() || beyond.shared()).isFalse();
    }

    time.advance(Duration.ofHours(2));
    Decision later = limiter.hit("stranger:0");
    assertThat(later.allowed() && !later.shared()).isTrue();
  }

  @Test
  void strangers_share_a_limit_and_are_not_denied_because_the_store_is_full() {
    RateLimiter limiter = full(Overflow.SHARE, Limit.parse("5/hour"));
    int allowed = 0;
    for (int i = 0; i < 100_000; i++) {
      Decision decision = limiter.hit("stranger:" + i);
      assertThat(decision.shared()).isTrue();
      allowed += decision.allowed() ? 1 : 0;
    }
    assertThat(allowed).isBetween(4096 * 4, 4096 * 5);
  }

  @Test
  void a_stranger_stays_in_its_cell_until_the_cell_is_as_good_as_absent() {
    RateLimiter limiter = full(Overflow.SHARE, Limit.fixedWindowPerKey(5, Duration.ofHours(1)));
    time.advance(Duration.ofMinutes(30));
    assertThat(limiter.hit("stranger", 5).allowed()).isTrue();
    time.advance(Duration.ofMinutes(30)); // the known keys expire, the stranger's cell does not
    Decision still = limiter.hit("stranger");
    assertThat(still.allowed()).isFalse();
    assertThat(still.shared()).isTrue();
    assertThat(still.retryAfter()).isEqualTo(Duration.ofMinutes(30));
    time.advance(still.retryAfter());
    Decision after = limiter.hit("stranger");
    assertThat(after.allowed() && !after.shared()).isTrue();
  }

  @Test
  void cells_are_not_touched_by_reset_set_and_refund() {
    RateLimiter limiter = full(Overflow.SHARE, Limit.parse("5/hour"));
    Decision charged = limiter.hit("stranger", 5);
    limiter.reset("stranger");
    limiter.refund("stranger", 5);
    limiter.refund(charged);
    Assertions.assertThatThrownBy(() -> limiter.set("stranger", 1))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("make maxKeys larger");
    assertThat(limiter.get("stranger")).isEqualTo(5);
    assertThat(limiter.inc("stranger", 2)).isEqualTo(7);
  }

  @Test
  void strangers_are_denied_or_admitted_where_that_was_chosen() {
    Limit limit = Limit.parse("5/hour");
    Decision denied = full(Overflow.DENY, limit).hit("stranger");
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.shared()).isTrue();
    assertThat(denied.retryAfter()).isEqualTo(Duration.ofHours(1));
    RateLimiter open = full(Overflow.ALLOW, limit);
    for (int i = 0; i < 10; i++) {
      Decision admitted = open.hit("stranger", 5);
      assertThat(admitted.allowed() && admitted.shared()).isTrue();
    }
    assertThat(open.hit("stranger", 6).neverFits()).isTrue();
    assertThat(open.get("stranger")).isZero();
  }

  @Test
  void a_quota_is_never_evicted_and_a_new_one_beyond_the_bound_is_denied() {
    for (Overflow overflow : Overflow.values()) {
      RateLimiter limiter = full(overflow, Limit.quota(2));
      time.advance(Duration.ofDays(10_000));
      limiter.clean();
      Decision stranger = limiter.hit("stranger");
      assertThat(stranger.allowed()).isFalse();
      assertThat(stranger.neverFits() && stranger.shared()).isTrue();
      assertThat(limiter.get("known:0")).isEqualTo(1);
    }
  }

  @Test
  void logs_keep_to_their_budget() {
    MemoryStore store =
        MemoryStore.builder()
            .time(time)
            .cleanPeriod(Duration.ZERO)
            .maxKeys(1_000_000)
            .logBudget(10_000)
            .build();
    RateLimiter limiter = RateLimiter.of(store, Limit.parse("1000/hour sliding-log"));
    for (int i = 0; i < 400_000; i++) {
      time.advanceMicros(1);
      limiter.hit("k" + i % 20_000);
    }
    // Every cell that shares may hold a log of the smallest size beyond the budget.
    assertThat(store.logEntries()).isLessThan(10_000 + 4 * 4096 + 4096);
  }

  private RateLimiter full(Overflow overflow, Limit limit) {
    MemoryStore store =
        MemoryStore.builder()
            .time(time)
            .cleanPeriod(Duration.ZERO)
            .maxKeys(100)
            .overflow(overflow)
            .build();
    RateLimiter limiter = RateLimiter.of(store, limit);
    for (int i = 0; i < 100; i++) {
      assertThat(limiter.hit("known:" + i).allowed()).isTrue();
    }
    return limiter;
  }

  private static long usedHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
