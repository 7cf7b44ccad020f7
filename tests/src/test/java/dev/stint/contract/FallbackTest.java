package dev.stint.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import dev.stint.testkit.StoreContract;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a store with a fallback answers, and which of the two is told what. */
class FallbackTest extends StoreContract {

  private static final Limit THREE = Limit.fixedWindowPerKey(3, Duration.ofMinutes(1));
  private static final Limit TEN = Limit.tokenBucket(10, Duration.ofSeconds(10));
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTime time = ManualTime.create();
  private final MemoryStore far = memory(time);
  private final MemoryStore near = memory(time);
  private final FailingStore primary = new FailingStore(far);
  private final FailingStore fallback = new FailingStore(near);
  private final Store both = primary.orElse(fallback);
  private final RateLimiter limiter = RateLimiter.of(both, THREE);

  private static MemoryStore memory(TimeSource time) {
    return MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build();
  }

  @Override
  protected Store store(TimeSource time) {
    return memory(time).orElse(memory(time));
  }

  @AfterEach
  void close() {
    far.close();
    near.close();
  }

  private static long used(Store store, Limit limit, String key) {
    return RateLimiter.of(store).get(limit.on(key));
  }

  private static <T> T join(CompletionStage<T> stage) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    assertThat(future).isDone();
    return future.join();
  }

  @Test
  void a_store_that_works_decides_alone() {
    assertThat(limiter.hit("k").degraded()).isFalse();
    assertThat(join(limiter.hitAsync("k")).degraded()).isFalse();
    assertThat(limiter.hit(THREE.on("k"), TEN.on("k")).degraded()).isFalse();
    assertThat(used(far, THREE, "k")).isEqualTo(3);
    assertThat(near.keys()).isZero();
  }

  @Test
  void a_hit_that_fails_is_counted_by_the_fallback_and_says_why() {
    primary.fail("no route");
    for (long left = 2; left >= 0; left--) {
      Decision decision = limiter.hit("k");
      assertThat(decision.allowed()).isTrue();
      assertThat(decision.remaining()).isEqualTo(left);
      assertThat(decision.reason()).contains("no route");
    }
    assertThat(limiter.hit("k"))
        .hasToString(
            "denied by 3/minute fixed-window-per-key, 0 left, retry in PT1M, degraded: no route");
    assertThat(far.keys()).isZero();
  }

  @Test
  void so_is_its_future_however_it_fails() {
    primary.fail("no route");
    for (Function<RuntimeException, CompletionStage<Decision>> manner :
        List.<Function<RuntimeException, CompletionStage<Decision>>>of(
            CompletableFuture::failedFuture,
            e -> CompletableFuture.failedFuture(new CompletionException(e)),
            e -> {
              throw e;
            })) {
      primary.failAsync(manner);
      assertThat(join(limiter.hitAsync("k")).reason()).contains("no route");
    }
    assertThat(used(near, THREE, "k")).isEqualTo(3);
  }

  @Test
  void a_future_that_fails_late_keeps_nobody_waiting() {
    CompletableFuture<Decision> answer = new CompletableFuture<>();
    primary.fail("no route").failAsync(e -> answer);
    CompletableFuture<Decision> hit = limiter.hitAsync("k").toCompletableFuture();
    assertThat(hit).isNotDone();
    assertThat(near.keys()).isZero();
    answer.completeExceptionally(new StoreException("too late"));
    assertThat(join(hit).reason()).contains("too late");
    assertThat(used(near, THREE, "k")).isEqualTo(1);
  }

  @Test
  void a_peek_that_fails_is_answered_by_the_fallback_and_charges_nothing() {
    primary.fail("no route");
    assertThat(limiter.peek("k", 3).reason()).contains("no route");
    assertThat(limiter.peek("k", 4).neverFits()).isTrue();
    assertThat(join(limiter.peekAsync("k")).reason()).contains("no route");
    assertThat(near.keys()).isZero();
  }

  @Test
  void several_limits_are_all_or_nothing_in_the_fallback_too_and_each_says_why() {
    primary.fail("no route");
    KeyedLimit[] asked = {TEN.on("a").cost(2), THREE.on("b").cost(3)};
    for (Decision decision : List.of(limiter.hit(asked), join(limiter.hitAsync(asked)))) {
      assertThat(decision.reason()).contains("no route");
      assertThat(decision.limits())
          .hasSize(2)
          .allSatisfy(one -> assertThat(one.reason()).contains("no route"));
    }
    assertThat(used(near, TEN, "a")).isEqualTo(2);
    assertThat(used(near, THREE, "b")).isEqualTo(3);
  }

  @Test
  void a_shadow_only_watches_in_the_fallback_too() {
    primary.fail("no route");
    limiter.hit("k", 3);
    Decision decision = limiter.hit(THREE.on("k").shadow());
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.limits().get(0).allowed()).isFalse();
    assertThat(decision.limits().get(0).reason()).contains("no route");
  }

  @Test
  void acquire_waits_for_room_in_the_fallback() throws Exception {
    primary.fail("no route");
    assertThat(limiter.acquire("k", 3, SECOND).reason()).contains("no route");
    assertThat(limiter.acquire("k", SECOND).allowed()).isFalse();
    CompletableFuture<Decision> waiting = limiter.acquireAsync("k", Duration.ofMinutes(1));
    assertThat(waiting).isNotDone();
    time.advance(Duration.ofMinutes(1));
    assertThat(join(waiting).allowed()).isTrue();
    assertThat(waiting.join().reason()).contains("no route");
  }

  @Test
  void when_the_store_is_back_it_decides_by_what_it_knew() {
    limiter.hit("k");
    primary.fail("no route");
    limiter.hit("k", 3);
    primary.recover();
    Decision decision = limiter.hit("k");
    assertThat(decision.degraded()).isFalse();
    assertThat(decision.remaining()).isEqualTo(1);
  }

  @Test
  void when_both_fail_the_limiter_admits_and_says_why_of_both() {
    primary.fail("no route");
    fallback.fail("no disk");
    String reason = "no route; its fallback failed too: no disk";
    assertThat(limiter.hit("k").reason()).contains(reason);
    assertThat(limiter.hit(THREE.on("k"), TEN.on("k")).reason()).contains(reason);
    assertThat(join(limiter.hitAsync("k")).reason()).contains(reason);
    assertThatThrownBy(() -> both.run(Operation.HIT, List.of(THREE.on("k"))))
        .isInstanceOf(StoreException.class)
        .hasMessage(reason)
        .hasSuppressedException(new StoreException("no disk"))
        .cause()
        .hasMessage("no route");
  }

  @Test
  void a_defect_is_not_taken_for_a_store_that_fails() {
    primary.fail(() -> new IllegalStateException("a bug"));
    assertThatThrownBy(() -> limiter.hit("k"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a bug");
    CompletableFuture<Decision> future = limiter.hitAsync("k").toCompletableFuture();
    assertThatThrownBy(future::join).hasRootCauseMessage("a bug");
    assertThat(near.keys()).isZero();
  }

  @Test
  void what_only_counts_goes_to_the_store_alone_and_throws_if_it_fails() {
    primary.fail("no route");
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> limiter.inc("k", 1),
            () -> limiter.refund("k", 1),
            () -> limiter.set("k", 1),
            () -> limiter.get("k"),
            () -> limiter.expiresAt("k"))) {
      assertThatThrownBy(call).isInstanceOf(StoreException.class).hasMessage("no route");
    }
    for (Supplier<CompletionStage<?>> call :
        List.<Supplier<CompletionStage<?>>>of(
            () -> limiter.incAsync("k", 1),
            () -> limiter.refundAsync("k", 1),
            () -> limiter.setAsync("k", 1),
            () -> limiter.getAsync("k"),
            () -> limiter.expiresAtAsync("k"))) {
      CompletableFuture<?> future = call.get().toCompletableFuture();
      assertThatThrownBy(future::join)
          .hasCauseInstanceOf(StoreException.class)
          .hasRootCauseMessage("no route");
    }
    assertThat(near.keys()).isZero();
  }

  @Test
  void a_reset_key_is_free_in_both() {
    for (ThrowingCallable reset :
        List.<ThrowingCallable>of(
            () -> limiter.reset("k"),
            () -> join(limiter.resetAsync("k")),
            () -> both.run(Operation.RESET, THREE, THREE.on("k").key(), 1))) {
      limiter.hit("k");
      primary.fail("no route");
      limiter.hit("k");
      primary.recover();
      assertThat(reset).satisfies(ThrowingCallable::call);
      assertThat(far.keys()).isZero();
      assertThat(near.keys()).isZero();
    }
  }

  @Test
  void a_reset_that_fails_in_one_store_throws_and_is_done_in_the_other() {
    limiter.hit("k");
    primary.fail("no route");
    limiter.hit("k");
    assertThatThrownBy(() -> limiter.reset("k")).hasMessage("no route");
    assertThat(near.keys()).isZero();
    limiter.hit("k");
    CompletableFuture<Void> far = limiter.resetAsync("k").toCompletableFuture();
    assertThatThrownBy(far::join).hasRootCauseMessage("no route");
    assertThat(near.keys()).isZero();
    primary.recover();
    fallback.fail("no disk");
    assertThatThrownBy(() -> limiter.reset("k")).hasMessage("no disk");
    assertThat(this.far.keys()).isZero();
    primary.fail("no route");
    assertThatThrownBy(() -> limiter.reset("k"))
        .hasMessage("no route; its fallback failed too: no disk");
  }

  @Test
  void a_refund_goes_to_the_store_that_charged() {
    Decision ordinary = limiter.hit("k", 2);
    primary.fail("no route");
    Decision degraded = limiter.hit("k", 3);
    Decision joint = limiter.hit(THREE.on("a"), TEN.on("b").cost(4));
    limiter.refund(degraded);
    join(limiter.refundAsync(joint));
    assertThat(used(near, THREE, "k")).isZero();
    assertThat(used(near, THREE, "a")).isZero();
    assertThat(used(near, TEN, "b")).isZero();
    assertThatThrownBy(() -> limiter.refund(ordinary)).hasMessage("no route");
    primary.recover();
    assertThat(used(far, THREE, "k")).isEqualTo(2);
    limiter.refund(ordinary);
    assertThat(used(far, THREE, "k")).isZero();
  }

  @Test
  void a_degraded_decision_can_be_refunded_when_the_store_is_back() {
    limiter.hit("k", 2);
    primary.fail("no route");
    Decision degraded = limiter.hit("k", 3);
    primary.recover();
    limiter.refund(degraded);
    assertThat(used(near, THREE, "k")).isZero();
    assertThat(used(far, THREE, "k")).isEqualTo(2);
  }

  @Test
  void the_same_stores_put_together_anew_know_their_charges() {
    primary.fail("no route");
    Decision degraded = limiter.hit("k", 3);
    primary.recover();
    RateLimiter.of(primary.orElse(fallback)).refund(degraded);
    assertThat(used(near, THREE, "k")).isZero();
  }

  @Test
  void a_degraded_charge_keeps_its_tag() {
    primary.fail("no route");
    assertThat(limiter.hit(THREE.on("k").in("acme")).charges())
        .extracting(KeyedLimit::tag)
        .containsExactly("acme");
    assertThat(limiter.hit(THREE.on("k").in("acme"), TEN.on("k")).charges())
        .extracting(KeyedLimit::tag)
        .containsExactly("acme", null);
  }

  @Test
  void a_chain_tries_one_after_the_other_and_refunds_where_it_charged() {
    MemoryStore last = memory(time);
    for (Store chain :
        List.of(primary.orElse(fallback).orElse(last), primary.orElse(fallback.orElse(last)))) {
      RateLimiter chained = RateLimiter.of(chain, THREE);
      Decision first = chained.hit("k");
      primary.fail("no route");
      Decision second = chained.hit("k");
      fallback.fail("no disk");
      Decision third = chained.hit("k");
      assertThat(first.degraded()).isFalse();
      assertThat(second.reason()).contains("no route");
      assertThat(third.reason().orElseThrow()).startsWith("no route");
      primary.recover();
      fallback.recover();
      for (Store one : List.of(far, near, last)) {
        assertThat(used(one, THREE, "k")).isEqualTo(1);
      }
      chained.refund(third);
      assertThat(used(last, THREE, "k")).isZero();
      assertThat(used(near, THREE, "k")).isEqualTo(1);
      chained.refund(second);
      assertThat(used(near, THREE, "k")).isZero();
      assertThat(used(far, THREE, "k")).isEqualTo(1);
      join(chained.refundAsync(first));
      assertThat(used(far, THREE, "k")).isZero();
    }
    last.close();
  }

  @Test
  void time_is_the_first_stores() {
    assertThat(both.time()).isSameAs(time);
    assertThat(primary.orElse(Store.denying()).time()).isSameAs(time);
  }

  @Test
  void trouble_is_the_first_stores() {
    fallback.fail("no room");
    assertThat(both.trouble()).isEmpty();
    primary.fail("no route");
    assertThat(both.trouble()).hasValue("no route");
    primary.recover();
    assertThat(both.trouble()).isEmpty();
  }

  @Test
  void clean_cleans_both_and_tells_how_much_it_was() {
    limiter.hit("a");
    primary.fail("no route");
    limiter.hit("a");
    limiter.hit("b");
    primary.recover();
    time.advance(Duration.ofMinutes(1));
    assertThat(both.clean()).isEqualTo(3);
  }

  @Test
  void close_closes_both_even_if_the_first_fails() {
    primary.fail("no route");
    assertThatThrownBy(both::close).hasMessage("no route");
    assertThat(primary.isClosed()).isTrue();
    assertThat(fallback.isClosed()).isTrue();
  }

  @Test
  void a_fallback_must_be_given() {
    assertThatThrownBy(() -> primary.orElse(null))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("fallback must not be null");
  }
}
