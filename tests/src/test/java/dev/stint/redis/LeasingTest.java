package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leases in virtual time, over the memory store. {@link LeasingOnRedisTest} has the real one. */
class LeasingTest {

  /** A token every 100 ms; a chunk of ten lives for a second. */
  private static final Limit LIMIT = Limit.tokenBucket(600, Duration.ofMinutes(1));

  private final ManualTime time = ManualTime.create();
  private final WatchedStore store = new WatchedStore(MemoryStore.builder().time(time).build());
  private final Leasing leasing = new Leasing(store, 10);
  private final RateLimiter limiter = RateLimiter.of(leasing, LIMIT);

  @AfterEach
  void close() {
    leasing.close();
  }

  /** Two hits: the first goes to the store, the second takes a chunk of which nine are left. */
  private void heat(String key) {
    limiter.hit(key);
    limiter.hit(key);
    assertThat(leasing.size()).isPositive();
  }

  // What is leased

  @Test
  void a_very_hot_key_costs_one_call_for_each_chunk() {
    for (int i = 0; i < 501; i++) {
      assertThat(limiter.hit("k").allowed()).isTrue();
    }
    assertThat(store.calls()).isEqualTo(1 + 50);
  }

  @Test
  void a_key_at_the_pace_of_its_limit_stays_leased() {
    heat("k");
    for (int i = 0; i < 1000; i++) {
      time.advance(Duration.ofMillis(101));
      assertThat(limiter.hit("k").allowed()).isTrue();
    }
    // The tenth hit comes when the lease has just expired: its token goes back.
    assertThat(store.calls()).isLessThan(2 * 1002 / 9);
  }

  @Test
  void a_bucket_that_counts_denied_hits_is_not_leased() {
    RateLimiter counting = RateLimiter.of(leasing, LIMIT.countingDenied());
    for (int i = 0; i < 700; i++) {
      assertThat(counting.hit("k").used()).isEqualTo(i + 1);
    }
    assertThat(store.calls()).isEqualTo(700);
    assertThat(leasing.size()).isZero();
  }

  @Test
  void a_key_that_is_not_hot_costs_and_holds_back_nothing_more() {
    for (int i = 0; i < 100; i++) {
      assertThat(limiter.hit("k").used()).isLessThanOrEqualTo(1);
      time.advance(Duration.ofMillis(250));
    }
    assertThat(store.calls()).isEqualTo(100);
    assertThat(leasing.size()).isZero();
    assertThat(time.sleepers()).isZero();
  }

  @Test
  void only_single_hits_of_buckets_are_leased() {
    KeyedLimit log = Limit.slidingLog(100, Duration.ofMinutes(1)).on("k");
    KeyedLimit shadow = LIMIT.on("k").shadow();
    for (int i = 0; i < 10; i++) {
      limiter.hit(log);
      limiter.hit(shadow);
      limiter.hit(LIMIT.on("k"), log);
      limiter.inc("k", 1);
      limiter.peek("k");
    }
    assertThat(store.calls()).isEqualTo(50);
    assertThat(leasing.size()).isZero();
    assertThat(limiter.get("k")).isEqualTo(30);
  }

  @Test
  void a_cost_above_half_the_chunk_goes_to_the_store() {
    for (int i = 0; i < 10; i++) {
      limiter.hit("k", 6);
    }
    assertThat(store.calls()).isEqualTo(10);
    assertThat(limiter.get("k")).isEqualTo(60);
  }

  @Test
  void a_chunk_is_a_whole_number_of_costs() {
    for (int i = 0; i < 1 + 30; i++) {
      limiter.hit("k", 3);
    }
    assertThat(store.calls()).isEqualTo(1 + 10);
    assertThat(limiter.get("k")).isEqualTo(93);
  }

  @Test
  void a_chunk_is_no_more_than_half_the_capacity() {
    KeyedLimit narrow = Limit.tokenBucket(600, Duration.ofMinutes(1)).burst(6).on("k");
    limiter.hit(narrow);
    limiter.hit(narrow);
    assertThat(limiter.get(narrow)).isEqualTo(4);
  }

  @Test
  void a_chunk_of_one_leases_nothing() {
    RateLimiter one = RateLimiter.of(new Leasing(store, 1), LIMIT);
    for (int i = 0; i < 10; i++) {
      one.hit("k");
    }
    assertThat(store.calls()).isEqualTo(10);
  }

  @Test
  void a_chunk_below_one_is_refused() {
    assertThatThrownBy(() -> new Leasing(store, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("chunk must be at least 1: 0");
  }

  @Test
  void leases_are_bounded_and_what_is_beyond_goes_to_the_store() {
    Leasing few = new Leasing(store, 10, 3);
    RateLimiter bounded = RateLimiter.of(few, LIMIT);
    for (int key = 0; key < 5; key++) {
      for (int i = 0; i < 5; i++) {
        bounded.hit("k" + key);
      }
    }
    assertThat(few.size()).isEqualTo(3);
    assertThat(store.calls()).isEqualTo(3 * 2 + 2 * 5);
    time.advance(Duration.ofSeconds(1));
    assertThat(few.size()).isZero();
    bounded.hit("k4");
    bounded.hit("k4");
    assertThat(few.size()).isEqualTo(1);
  }

  @Test
  void one_amount_of_a_limit_is_leased_at_a_time() {
    heat("k");
    KeyedLimit raised = Limit.tokenBucket(1200, Duration.ofMinutes(1)).on("k");
    int before = store.calls();
    limiter.hit(raised);
    limiter.hit(raised);
    assertThat(store.calls()).isEqualTo(before + 2);
  }

  @Test
  void bytes_that_their_owner_uses_again_are_another_key() {
    byte[] bytes = {1};
    limiter.hit(LIMIT.on(bytes));
    limiter.hit(LIMIT.on(bytes));
    bytes[0] = 2;
    assertThat(limiter.hit(Key.of(bytes)).used()).isEqualTo(1);
    assertThat(limiter.hit(Key.of(new byte[] {1})).used()).isEqualTo(3);
  }

  // What is answered

  @Test
  void decisions_are_those_of_a_store_without_leases() {
    Limit uneven = Limit.tokenBucket(7000, Duration.ofMinutes(5));
    RateLimiter plain = RateLimiter.of(MemoryStore.builder().time(time).build(), uneven);
    RateLimiter leased = RateLimiter.of(leasing, uneven);
    SplittableRandom random = new SplittableRandom(42);
    plain.inc("k", 100);
    leased.inc("k", 100);
    for (int i = 0; i < 1000; i++) {
      long cost = 1 + random.nextLong(4);
      Decision expected = plain.hit("k", cost);
      Decision decision = leased.hit("k", cost);
      assertThat(decision.allowed()).isEqualTo(expected.allowed()).isTrue();
      assertThat(decision.resetAfter()).as("hit %d", i).isEqualTo(expected.resetAfter());
      assertThat(decision.used()).isEqualTo(expected.used());
      assertThat(decision.remaining()).isEqualTo(expected.remaining());
      assertThat(decision.nextAfter()).isEqualTo(expected.nextAfter());
      assertThat(decision.retryAfter()).isZero();
      time.advanceMicros(random.nextLong(80_000)); // a lease lives for 428 ms
    }
    assertThat(store.calls()).isLessThan(900);
  }

  @Test
  void near_the_limit_every_token_is_had_and_the_refusal_is_the_stores_own() {
    int admitted = 0;
    while (limiter.hit("k").allowed()) {
      admitted++;
    }
    assertThat(admitted).isEqualTo(600);
    assertThat(limiter.hit("k").retryAfter()).isEqualTo(Duration.ofMillis(100));
    int before = store.calls();
    limiter.hit("k");
    assertThat(store.calls()).as("one call for a refusal").isEqualTo(before + 1);
  }

  @Test
  void leased_tokens_are_used_in_the_eyes_of_get_and_peek() {
    heat("k");
    assertThat(limiter.get("k")).isEqualTo(11);
    assertThat(limiter.peek("k").remaining()).isEqualTo(589);
  }

  @Test
  void a_hit_that_was_served_from_a_lease_can_be_refunded() {
    heat("k");
    Decision served = limiter.hit("k", 3);
    limiter.refund(served);
    assertThat(limiter.get("k")).isEqualTo(11 - 3);
    time.advance(Duration.ofMinutes(1));
    limiter.inc("k", 5);
    limiter.refund(served);
    assertThat(limiter.get("k")).as("a late refund mints nothing").isEqualTo(5);
  }

  @Test
  void a_tag_is_kept() {
    KeyedLimit tagged = LIMIT.on("k").in("acme");
    limiter.hit(tagged);
    limiter.hit(tagged);
    assertThat(limiter.hit(tagged).charges().get(0).tag()).isEqualTo("acme");
  }

  // How a lease ends

  @Test
  void a_lease_expires_when_the_bucket_has_refilled_it() {
    heat("k");
    for (int i = 0; i < 4; i++) {
      time.advance(Duration.ofMillis(249));
      limiter.hit("k");
    }
    int before = store.calls();
    time.advanceMicros(3_999);
    limiter.hit("k");
    assertThat(store.calls()).as("a microsecond before its end").isEqualTo(before);
    time.advanceMicros(1);
    limiter.hit("k");
    assertThat(store.calls()).isGreaterThan(before);
  }

  @Test
  void an_idle_lease_is_given_back_and_forgotten() {
    heat("k");
    time.advance(Duration.ofMillis(500));
    assertThat(leasing.size()).isZero();
    assertThat(time.sleepers()).isZero();
    // Eleven were charged, two were used, the bucket has refilled two and a half by the first look.
    assertThat(limiter.get("k")).isZero();
    assertThat(store.calls()).isEqualTo(2 + 1 + 1);
  }

  @Test
  void closing_gives_back_what_is_left_and_closes_the_store() {
    heat("k");
    leasing.giveBack();
    assertThat(RateLimiter.of(store, LIMIT).get("k")).isEqualTo(2);
    limiter.hit("k");
    limiter.hit("k");
    assertThat(leasing.size()).isZero();
    leasing.close();
    assertThat(store.isClosed()).isTrue();
  }

  @Test
  void closing_does_not_wait_for_a_store_that_does_not_answer() {
    heat("k");
    CompletableFuture<Void> unused = store.hold();
    assertTimeoutPreemptively(Duration.ofSeconds(30), leasing::close);
    assertThat(store.isClosed()).isTrue();
  }

  @Test
  void reset_drops_the_lease_and_gives_nothing_back() {
    heat("k");
    limiter.reset("k");
    assertThat(leasing.size()).isZero();
    assertThat(limiter.hit("k").used()).isEqualTo(1);
    leasing.giveBack();
    assertThat(limiter.get("k")).isEqualTo(1);
  }

  @Test
  void set_drops_the_lease() {
    heat("k");
    limiter.setAsync("k", 600).toCompletableFuture().join();
    assertThat(limiter.hit("k").allowed()).isFalse();
    assertThat(limiter.get("k")).isEqualTo(600);
  }

  // Many at once

  @Test
  void sixty_four_threads_share_each_chunk() throws Exception {
    Limit wide = Limit.tokenBucket(1_000_000, Duration.ofHours(1));
    RateLimiter shared = RateLimiter.of(new Leasing(store, 100), wide);
    shared.hit("k");
    AtomicInteger rest = new AtomicInteger(10_000);
    ExecutorService threads = Executors.newFixedThreadPool(64);
    try {
      List<Future<Integer>> counts = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        counts.add(
            threads.submit(
                () -> {
                  int admitted = 0;
                  while (rest.getAndDecrement() > 0) {
                    admitted += shared.hit("k").allowed() ? 1 : 0;
                  }
                  return admitted;
                }));
      }
      int admitted = 0;
      for (Future<Integer> count : counts) {
        admitted += count.get(60, TimeUnit.SECONDS);
      }
      assertThat(admitted).isEqualTo(10_000);
    } finally {
      threads.shutdownNow();
    }
    assertThat(store.calls()).isEqualTo(1 + 100);
    assertThat(shared.get("k")).isEqualTo(10_001);
  }

  @Test
  void who_comes_while_a_chunk_is_under_way_waits_for_it() throws Exception {
    limiter.hit("k");
    CompletableFuture<Void> gate = store.hold();
    List<CompletableFuture<Decision>> hits = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      hits.add(limiter.hitAsync("k").toCompletableFuture());
    }
    Future<Decision> blocked = CompletableFuture.supplyAsync(() -> limiter.hit("k"));
    assertThat(hits).noneMatch(CompletableFuture::isDone);
    gate.complete(null);
    assertThat(blocked.get(30, TimeUnit.SECONDS).allowed()).isTrue();
    assertThat(hits).allMatch(hit -> hit.join().allowed());
    assertThat(store.calls()).isEqualTo(2);
  }

  @Test
  void who_finds_a_chunk_under_way_used_up_goes_to_the_store() {
    limiter.hit("k");
    CompletableFuture<Void> gate = store.hold();
    List<CompletableFuture<Decision>> hits = new ArrayList<>();
    for (int i = 0; i < 13; i++) {
      hits.add(limiter.hitAsync("k").toCompletableFuture());
    }
    assertThat(store.calls()).isEqualTo(1 + 1 + 3);
    gate.complete(null);
    assertThat(hits).allMatch(hit -> hit.join().allowed());
    assertThat(limiter.get("k")).isEqualTo(14);
  }

  @Test
  void who_waited_for_a_chunk_that_does_not_fit_goes_to_the_store() {
    limiter.hit("k");
    store.hold().complete(null);
    limiter.inc("k", 595);
    CompletableFuture<Void> gate = store.hold();
    List<CompletableFuture<Decision>> hits = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      hits.add(limiter.hitAsync("k").toCompletableFuture());
    }
    gate.complete(null);
    assertThat(hits.stream().filter(hit -> hit.join().allowed())).hasSize(4);
    assertThat(leasing.size()).isZero();
  }

  @Test
  void a_chunk_that_arrives_after_a_reset_serves_nobody_else() {
    limiter.hit("k");
    CompletableFuture<Void> gate = store.hold();
    CompletableFuture<Decision> hit = limiter.hitAsync("k").toCompletableFuture();
    limiter.reset("k");
    gate.complete(null);
    assertThat(hit.join().allowed()).isTrue();
    assertThat(leasing.size()).isZero();
  }

  // Failure

  @Test
  void all_who_wait_for_a_chunk_learn_that_the_store_failed() {
    RateLimiter safe = RateLimiter.of(leasing.orElse(Store.denying()), LIMIT);
    limiter.hit("k");
    CompletableFuture<Void> gate = store.hold();
    List<CompletableFuture<Decision>> hits = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      hits.add(safe.hitAsync("k").toCompletableFuture());
    }
    gate.completeExceptionally(new StoreException("gone"));
    assertThat(hits).allMatch(hit -> hit.join().degraded() && !hit.join().allowed());
    assertThat(leasing.size()).isZero();
    Decision direct = limiter.hit("k");
    assertThat(direct.reason()).contains("gone");
  }

  @Test
  void a_store_that_is_gone_leaves_what_is_leased_to_be_served() {
    heat("k");
    store.fail();
    for (int i = 0; i < 9; i++) {
      assertThat(limiter.hit("k").degraded()).isFalse();
    }
    assertThat(limiter.hit("k").degraded()).isTrue();
  }

  @Test
  void a_give_back_that_fails_is_dropped() {
    heat("k");
    store.fail();
    time.advance(Duration.ofSeconds(1));
    assertThat(leasing.size()).isZero();
  }
}
