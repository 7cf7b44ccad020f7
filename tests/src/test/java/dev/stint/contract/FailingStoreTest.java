package dev.stint.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What becomes of a request when its store fails. */
class FailingStoreTest {

  private static final Limit FIVE = Limit.fixedWindowPerKey(5, Duration.ofMinutes(1));
  private static final Limit TWENTY = Limit.tokenBucket(10, Duration.ofSeconds(1)).burst(20);

  private final RateLimiter limiter =
      RateLimiter.of(failing(() -> new StoreException("no route to the store")), FIVE);

  @Test
  void hit_peek_and_acquire_are_admitted_and_say_that_they_are_degraded() throws Exception {
    Duration minute = Duration.ofMinutes(1);
    for (Decision decision :
        List.of(
            limiter.hit("k"),
            limiter.hit("k", 3),
            limiter.hit(FIVE.on("k")),
            limiter.peek("k"),
            limiter.peek("k", 3),
            limiter.peek(FIVE.on("k")),
            limiter.acquire("k", minute),
            limiter.acquire("k", 3, minute),
            limiter.acquire(minute, FIVE.on("k")))) {
      isDegraded(decision);
    }
  }

  @Test
  void so_are_their_futures() {
    Duration minute = Duration.ofMinutes(1);
    for (CompletionStage<Decision> stage :
        List.of(
            limiter.hitAsync("k"),
            limiter.hitAsync("k", 3),
            limiter.hitAsync(FIVE.on("k")),
            limiter.peekAsync("k"),
            limiter.peekAsync("k", 3),
            limiter.peekAsync(FIVE.on("k")),
            limiter.acquireAsync("k", minute),
            limiter.acquireAsync("k", 3, minute),
            limiter.acquireAsync(minute, FIVE.on("k")))) {
      isDegraded(stage.toCompletableFuture().join());
    }
  }

  @Test
  void so_are_those_of_a_store_that_fails_before_it_has_a_future() {
    FailingStore store =
        new FailingStore(MemoryStore.create())
            .fail("no route to the store")
            .failAsync(
                failure -> {
                  throw failure;
                });
    isDegraded(RateLimiter.of(store, FIVE).hitAsync("k").toCompletableFuture().join());
  }

  @Test
  void a_degraded_answer_of_several_limits_says_so_of_each() {
    Decision decision = limiter.hit(TWENTY.on("a"), FIVE.on("b"));
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.limit()).isEqualTo(FIVE);
    assertThat(decision.limits())
        .hasSize(2)
        .allMatch(Decision::degraded)
        .extracting(Decision::remaining)
        .containsExactly(20L, 5L);
  }

  @Test
  void a_degraded_answer_charged_nothing_and_refunds_nothing() {
    limiter.refund(limiter.hit("k"));
    limiter.refundAsync(limiter.hit("k")).toCompletableFuture().join();
    assertThat(limiter.hit("k").charges()).isEmpty();
  }

  @Test
  void the_other_operations_throw() {
    KeyedLimit one = FIVE.on("k");
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> limiter.inc("k", 1),
            () -> limiter.inc(one),
            () -> limiter.refund("k", 1),
            () -> limiter.refund(one),
            () -> limiter.set("k", 1),
            () -> limiter.set(one, 1),
            () -> limiter.get("k"),
            () -> limiter.get(one),
            () -> limiter.expiresAt("k"),
            () -> limiter.expiresAt(one),
            () -> limiter.reset("k"),
            () -> limiter.reset(one),
            limiter::clean)) {
      assertThatThrownBy(call)
          .isInstanceOf(StoreException.class)
          .hasMessage("no route to the store");
    }
  }

  @Test
  void so_do_their_futures_and_not_the_call_itself() {
    KeyedLimit one = FIVE.on("k");
    for (Supplier<CompletionStage<?>> call :
        List.<Supplier<CompletionStage<?>>>of(
            () -> limiter.incAsync("k", 1),
            () -> limiter.incAsync(one),
            () -> limiter.refundAsync("k", 1),
            () -> limiter.refundAsync(one),
            () -> limiter.setAsync("k", 1),
            () -> limiter.setAsync(one, 1),
            () -> limiter.getAsync("k"),
            () -> limiter.getAsync(one),
            () -> limiter.expiresAtAsync("k"),
            () -> limiter.expiresAtAsync(one),
            () -> limiter.resetAsync("k"),
            () -> limiter.resetAsync(one),
            limiter::cleanAsync)) {
      CompletableFuture<?> future = call.get().toCompletableFuture();
      assertThatThrownBy(future::join)
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(StoreException.class)
          .hasRootCauseMessage("no route to the store");
    }
  }

  @Test
  void a_defect_is_not_taken_for_a_store_that_fails() {
    RateLimiter broken = RateLimiter.of(failing(() -> new IllegalStateException("a bug")), FIVE);
    assertThatThrownBy(() -> broken.hit("k"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a bug");
  }

  @Test
  void a_failure_without_a_message_still_has_a_reason() {
    RateLimiter mute = RateLimiter.of(failing(() -> new StoreException(null)), FIVE);
    assertThat(mute.hit("k").reason()).contains("dev.stint.StoreException");
  }

  private static void isDegraded(Decision decision) {
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.degraded()).isTrue();
    assertThat(decision.reason()).contains("no route to the store");
    assertThat(decision.limit()).isEqualTo(FIVE);
    assertThat(decision.used()).isZero();
    assertThat(decision.remaining()).isEqualTo(5);
    assertThat(decision.retryAfter()).isZero();
    assertThat(decision.nextAfter()).isEmpty();
    assertThat(decision.resetAfter()).isZero();
    assertThat(decision)
        .hasToString(
            "allowed by 5/minute fixed-window-per-key, 5 left, degraded: no route to the store");
  }

  private static Store failing(Supplier<RuntimeException> failure) {
    return new FailingStore(MemoryStore.builder().time(ManualTime.create()).build()).fail(failure);
  }
}
