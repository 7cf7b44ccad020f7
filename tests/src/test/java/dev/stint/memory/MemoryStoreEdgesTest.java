package dev.stint.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.StoreException;
import dev.stint.TimeSource;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Places where the memory store once went wrong, or easily could. */
class MemoryStoreEdgesTest {

  private final ManualTime time = ManualTime.create();

  private MemoryStore.Builder builder() {
    return MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO);
  }

  @Test
  @Timeout(60)
  void a_call_over_many_new_keys_returns_however_few_rows_there_are() {
    Limit limit = Limit.parse("5/minute");
    for (int keys = 1; keys <= 1200; keys = keys < 20 ? keys + 1 : keys * 3 / 2) {
      RateLimiter limiter = RateLimiter.of(builder().maxKeys(5_000).build());
      for (int call = 0; call < 3; call++) {
        List<KeyedLimit> asked = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
          asked.add(limit.on(call * keys + i));
        }
        Decision decision = limiter.hit(asked.toArray(KeyedLimit[]::new));
        assertThat(decision.allowed()).isTrue();
        assertThat(decision.limits()).hasSize(keys).allMatch(one -> one.used() == 1);
      }
    }
  }

  @Test
  void a_log_that_has_partly_expired_can_be_set() {
    RateLimiter limiter =
        RateLimiter.of(builder().build(), Limit.slidingLog(100, Duration.ofSeconds(1)));
    for (int i = 0; i < 20; i++) {
      limiter.hit("k");
      time.advance(Duration.ofMillis(i < 16 ? 10 : 200));
    }
    limiter.set("k", 3);
    assertThat(limiter.get("k")).isEqualTo(3);
    assertThat(limiter.hit("k").used()).isEqualTo(4);
  }

  @Test
  void an_operation_that_failed_leaves_nothing_to_the_next() {
    Limit limit = Limit.parse("10/minute");
    MemoryStore store = builder().maxKeys(1).overflow(Overflow.DENY).build();
    RateLimiter limiter = RateLimiter.of(store, limit);
    limiter.hit("known", 10);
    assertThatThrownBy(() -> limiter.inc("stranger", 3))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the store must have room for a new key, but all 1 are in use; make maxKeys larger");
    assertThat(limiter.inc("known", 1)).isEqualTo(11);
    assertThat(limiter.peek("known").remaining()).isZero();
  }

  @Test
  void a_key_denied_for_want_of_a_row_leaves_its_answer_to_no_other_key() {
    MemoryStore store = builder().maxKeys(1).overflow(Overflow.DENY).build();
    RateLimiter limiter = RateLimiter.of(store, Limit.slidingLog(3, Duration.ofMinutes(1)));
    limiter.hit("known");
    time.advance(Duration.ofSeconds(20));
    limiter.hit("known");
    assertThat(limiter.hit("stranger").allowed()).isFalse();
    assertThat(limiter.hit("known").allowed()).isTrue();
    assertThat(limiter.hit("known").retryAfter()).isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void a_spent_log_budget_is_freed_by_logs_that_have_expired() {
    Limit log = Limit.slidingLog(10, Duration.ofSeconds(1));
    MemoryStore store = builder().logBudget(100).build();
    RateLimiter limiter = RateLimiter.of(store, log);
    for (int i = 0; i < 100; i++) {
      limiter.hit("k" + i);
    }
    assertThat(limiter.hit("while spent").shared()).isTrue();
    assertThatThrownBy(() -> limiter.set("another", 3))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the store must have room for a new log, but its budget is spent; make logBudget"
                + " larger");
    time.advance(Duration.ofDays(1));
    assertThat(limiter.hit("the day after").shared()).isFalse();
    assertThat(store.logEntries()).isLessThan(120);
  }

  @Test
  void a_row_that_expires_early_after_a_step_of_the_clock_makes_room() {
    Limit limit = Limit.fixedWindowPerKey(5, Duration.ofSeconds(10));
    MemoryStore store = builder().maxKeys(2).build();
    RateLimiter limiter = RateLimiter.of(store, limit);
    limiter.hit("a");
    limiter.hit("b");
    assertThat(limiter.hit("c").shared()).isTrue();
    time.set(time.now().minus(Duration.ofHours(1)));
    limiter.hit("a");
    time.advance(Duration.ofSeconds(10));
    assertThat(limiter.hit("d").shared()).isFalse();
  }

  @Test
  void waiting_leaves_no_charge_where_denied_hits_are_counted() throws InterruptedException {
    Limit limit = Limit.fixedWindow(1, Duration.ofMinutes(1)).countingDenied();
    RateLimiter limiter = RateLimiter.of(builder().build(), limit);
    limiter.hit("k");
    for (int i = 0; i < 5; i++) {
      assertThat(limiter.acquire("k", Duration.ZERO).allowed()).isFalse();
      assertThat(limiter.acquireAsync("k", Duration.ofDays(1)).cancel(true)).isTrue();
    }
    assertThat(limiter.get("k")).isEqualTo(1);
  }

  @Test
  void a_refused_wait_tells_of_the_state_that_it_left_as_it_was() throws InterruptedException {
    Limit limit = Limit.tokenBucket(5, Duration.ofSeconds(1)).countingDenied();
    RateLimiter limiter = RateLimiter.of(builder().build(), limit);
    limiter.hit("k", 5);
    Decision refused = limiter.acquire("k", 2, Duration.ofMillis(399));
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.used()).isEqualTo(5);
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofMillis(400));
    limiter.refund(refused);
    assertThat(limiter.get("k")).isEqualTo(5);
  }

  @Test
  void a_wait_is_no_longer_where_denied_hits_are_counted() throws InterruptedException {
    ManualTime moving = ManualTime.selfAdvancing();
    RateLimiter limiter =
        RateLimiter.of(
            builder().time(moving).build(), Limit.parse("5/second sliding-log counting-denied"));
    limiter.hit("k", 5);
    Instant before = moving.now();
    assertThat(limiter.acquire("k", 2, Duration.ofSeconds(1)).allowed()).isTrue();
    assertThat(Duration.between(before, moving.now())).isEqualTo(Duration.ofSeconds(1));
    RateLimiter async = RateLimiter.of(builder().build(), Limit.parse("5/second counting-denied"));
    async.hit("k", 5);
    CompletableFuture<Decision> waiting = async.acquireAsync("k", 2, Duration.ofMillis(400));
    time.advance(Duration.ofMillis(400).minusNanos(1000));
    assertThat(waiting).isNotDone();
    time.advance(Duration.ofNanos(1000));
    assertThat(waiting.join().allowed()).isTrue();
  }

  @Test
  void a_log_that_counts_denied_hits_has_one_entry_more_than_its_limit() {
    MemoryStore store = builder().build();
    RateLimiter limiter =
        RateLimiter.of(store, Limit.parse("7/minute sliding-log counting-denied"));
    for (int i = 0; i < 10_000; i++) {
      limiter.hit("k", 1 + i % 3);
      time.advance(Duration.ofMillis(i % 700));
      assertThat(store.logEntries()).isLessThanOrEqualTo(8);
    }
    limiter.hit("k", Long.MAX_VALUE);
    assertThat(limiter.hit("k").used()).isEqualTo((1L << 53) - 1);
    assertThat(store.logEntries()).isLessThanOrEqualTo(8);
  }

  @Test
  void what_a_saturated_state_did_not_take_is_not_given_back() {
    for (String rate : List.of("5/second counting-denied", "9 total counting-denied")) {
      RateLimiter limiter = RateLimiter.of(builder().build(), Limit.parse(rate));
      limiter.hit("k", 3);
      long most = limiter.hit("k", 1_000_000).used();
      Decision nothing = limiter.hit("k", 4);
      assertThat(nothing.used()).isEqualTo(most);
      limiter.refund(nothing);
      assertThat(limiter.get("k")).isEqualTo(most);
      limiter.refund("k", 1);
      Decision one = limiter.hit("k", 4);
      limiter.refund("k", 1);
      limiter.refund(one);
      assertThat(limiter.get("k")).as(rate).isEqualTo(most - 2);
    }
  }

  @Test
  void a_wait_whose_clock_fails_fails() {
    TimeSource broken =
        new TimeSource() {
          @Override
          public long micros() {
            return time.micros();
          }

          @Override
          public void sleep(long micros) {
            throw new IllegalStateException("no sleep");
          }

          @Override
          public CompletableFuture<Void> delay(long micros) {
            return CompletableFuture.failedFuture(new IllegalStateException("no delay"));
          }
        };
    MemoryStore store = MemoryStore.builder().time(broken).build();
    RateLimiter limiter = RateLimiter.of(store, Limit.parse("1/minute"));
    limiter.hit("k");
    assertThat(limiter.acquireAsync("k", Duration.ofHours(1))).isCompletedExceptionally();
  }

  @Test
  void text_bytes_and_numbers_are_different_keys() {
    RateLimiter limiter = RateLimiter.of(builder().build(), Limit.parse("5/minute"));
    assertThat(limiter.hit(Key.of("7")).used()).isEqualTo(1);
    assertThat(limiter.hit(Key.of(7)).used()).isEqualTo(1);
    assertThat(limiter.hit(Key.of(new byte[] {'7'}), 2).used()).isEqualTo(2);
    assertThat(limiter.hit("7").used()).isEqualTo(2);
  }
}
