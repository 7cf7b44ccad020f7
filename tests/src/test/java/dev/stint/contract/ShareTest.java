package dev.stint.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import dev.stint.testkit.StoreContract;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A store that counts for one of several instances. */
class ShareTest extends StoreContract {

  private static final Limit TEN = Limit.fixedWindowPerKey(10, Duration.ofMinutes(1));

  private final ManualTime time = ManualTime.create();
  private final MemoryStore whole = memory(time);
  private final Store third = whole.share(3);
  private final RateLimiter limiter = RateLimiter.of(third, TEN);

  private static MemoryStore memory(TimeSource time) {
    return MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build();
  }

  @Override
  protected Store store(TimeSource time) {
    return memory(time).share(1);
  }

  @AfterEach
  void close() {
    third.close();
  }

  @ParameterizedTest
  @CsvSource({
    "10/minute, 3/minute",
    "10/minute burst 20, 3/minute burst 6",
    "100/minute burst 2, 33/minute burst 1",
    "2/minute burst 20, 1/minute burst 6",
    "10/minute leaky-bucket, 3/minute leaky-bucket",
    "10/minute fixed-window, 3/minute fixed-window",
    "10/minute fixed-window counting-denied, 3/minute fixed-window counting-denied",
    "10/minute fixed-window-per-key, 3/minute fixed-window-per-key",
    "10/minute sliding-counter, 3/minute sliding-counter",
    "10/minute sliding-log, 3/minute sliding-log",
    "10 total, 3 total",
    "2/minute, 1/minute",
    "1/minute, 1/minute",
  })
  void every_kind_of_limit_is_divided_and_at_least_one(String rate, String share) {
    Limit limit = Limit.parse(rate).named("api");
    Limit expected = Limit.parse(share).named("api");
    for (Decision decision :
        List.of(
            RateLimiter.of(third, limit).peek("k"),
            limiter.peek(limit.on("k")),
            limiter.peekAsync(limit.on("k")).toCompletableFuture().join())) {
      assertThat(decision.limit()).isEqualTo(expected);
      assertThat(decision.remaining()).isEqualTo(expected.capacity());
    }
  }

  @Test
  void a_share_is_all_that_can_be_had() {
    for (int i = 0; i < 3; i++) {
      assertThat(limiter.hit("k").allowed()).isTrue();
    }
    assertThat(limiter.hit("k"))
        .hasToString("denied by 3/minute fixed-window-per-key, 0 left, retry in PT1M");
  }

  @Test
  void a_cost_above_the_share_asks_for_all_of_it() {
    assertThat(limiter.hit("k", 10).allowed()).isTrue();
    assertThat(limiter.hit("k").allowed()).isFalse();
    assertThat(limiter.hit(TEN.on("l")).allowed()).isTrue();
    assertThat(limiter.hit(TEN.on("l").cost(4)).retryAfter()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void a_cost_above_the_whole_limit_never_fits() {
    assertThat(limiter.hit("k", 11).neverFits()).isTrue();
    assertThat(limiter.hit(TEN.on("k").cost(11)).neverFits()).isTrue();
    assertThat(limiter.peekAsync("k", 11).toCompletableFuture().join().neverFits()).isTrue();
  }

  @Test
  void a_refund_gives_back_what_was_charged_here() {
    limiter.hit("k");
    Decision decision = limiter.hit(TEN.on("k").cost(2), TEN.on("l").cost(8));
    limiter.refund(decision);
    assertThat(limiter.get("k")).isEqualTo(1);
    assertThat(limiter.get("l")).isZero();
    limiter.refundAsync(limiter.hit("k", 2)).toCompletableFuture().join();
    assertThat(limiter.get("k")).isEqualTo(1);
  }

  @Test
  void what_only_counts_is_taken_as_it_is() {
    limiter.set("k", 7);
    assertThat(limiter.get("k")).isEqualTo(7);
    assertThat(limiter.inc("k", 5)).isEqualTo(12);
    limiter.refund("k", 4);
    assertThat(third.run(Operation.GET, TEN, TEN.on("k").key(), 1).used()).isEqualTo(8);
    limiter.reset("k");
    assertThat(limiter.get("k")).isZero();
  }

  @Test
  void shadows_and_tags_are_kept() {
    limiter.hit("k", 3);
    Decision decision = limiter.hit(TEN.on("k").shadow(), TEN.on("l").in("acme"));
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.charges()).extracting(KeyedLimit::tag).containsExactly("acme");
  }

  @Test
  void a_limit_is_divided_for_each_store_by_its_own_number() {
    Store half = whole.share(2);
    for (int i = 0; i < 3; i++) {
      assertThat(RateLimiter.of(third, TEN).peek("k").amount()).isEqualTo(3);
      assertThat(RateLimiter.of(half, TEN).peek("k").amount()).isEqualTo(5);
      assertThat(RateLimiter.of(half.share(3), TEN).peek("k").amount()).isEqualTo(1);
    }
  }

  @Test
  void a_burst_that_its_share_of_the_rate_could_not_refill_in_a_lifetime_is_cut() {
    Limit slow = Limit.parse("3/week burst 10000");
    assertThat(RateLimiter.of(whole.share(2), slow).peek("k").limit())
        .isEqualTo(Limit.parse("1/week burst 5000"));
    Limit most = Limit.tokenBucket(1, Duration.ofDays(365)).burst(99);
    for (long burst : new long[] {198, 200, 290}) {
      Limit slower = Limit.tokenBucket(3, Duration.ofDays(365)).burst(burst);
      RateLimiter half = RateLimiter.of(whole.share(2), slower);
      assertThat(half.peek("k" + burst).limit()).isEqualTo(most);
      assertThat(half.hit("k" + burst, burst).remaining()).isZero();
    }
  }

  @Test
  void as_a_fallback_it_counts_its_share_and_takes_its_refunds() {
    FailingStore failing = new FailingStore(memory(time)).fail("no route");
    RateLimiter composed = RateLimiter.of(failing.orElse(third), TEN);
    Decision decision = composed.hit("k", 7);
    assertThat(decision)
        .hasToString("allowed by 3/minute fixed-window-per-key, 0 left, degraded: no route");
    failing.recover();
    composed.hit("k");
    composed.refund(decision);
    assertThat(limiter.get("k")).isZero();
    assertThat(composed.get("k")).isEqualTo(1);
  }

  @Test
  void a_share_of_a_store_with_a_fallback_refunds_where_it_was_charged() {
    FailingStore failing = new FailingStore(memory(time)).fail("no route");
    RateLimiter composed = RateLimiter.of(failing.orElse(whole).share(3), TEN);
    Decision decision = composed.hit("k", 7);
    assertThat(decision.amount()).isEqualTo(3);
    failing.recover();
    composed.refund(decision);
    assertThat(limiter.get("k")).isZero();
  }

  @Test
  void a_store_that_fails_is_not_hidden_by_its_share() {
    FailingStore failing = new FailingStore(memory(time)).fail("no route");
    Store share = failing.share(3);
    assertThat(RateLimiter.of(share, TEN).hit("k").reason()).contains("no route");
    assertThat(share.trouble()).hasValue("no route");
    assertThat(RateLimiter.of(share.orElse(Store.denying()), TEN).hit("k").allowed()).isFalse();
    assertThatThrownBy(share::clean).hasMessage("no route");
    failing.recover();
    assertThat(share.trouble()).isEmpty();
    share.close();
    assertThat(failing.isClosed()).isTrue();
  }

  @Test
  void time_and_cleaning_are_the_stores_own() {
    limiter.hit("k");
    assertThat(third.time()).isSameAs(time);
    time.advance(Duration.ofMinutes(1));
    assertThat(third.clean()).isEqualTo(1);
  }

  @Test
  void a_share_of_one_is_the_store_itself() {
    assertThat(whole.share(1)).isSameAs(whole);
  }

  @Test
  void there_must_be_an_instance() {
    for (int none : new int[] {0, -1}) {
      assertThatThrownBy(() -> whole.share(none))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessage("instances must be at least 1: " + none);
    }
  }
}
