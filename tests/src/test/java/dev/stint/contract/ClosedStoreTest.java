package dev.stint.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import dev.stint.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A store that was closed says so, as any store that cannot be asked. */
class ClosedStoreTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Limit FIVE = Limit.tokenBucket(5, MINUTE);
  private static final Limit LOG = Limit.slidingLog(9, MINUTE);
  private static final String CLOSED = "this store is closed";

  @Test
  void hits_peeks_and_acquires_of_a_closed_limiter_are_degraded() throws Exception {
    RateLimiter limiter = RateLimiter.of(FIVE);
    assertThat(limiter.hit("k", 5).degraded()).isFalse();
    limiter.close();
    for (Decision decision :
        List.of(
            limiter.hit("k"),
            limiter.hit("new"),
            limiter.hit(Key.of(7)),
            limiter.hit(FIVE.on("k"), LOG.on("k")),
            limiter.peek("k"),
            limiter.acquire("k", MINUTE),
            limiter.hitAsync("k").toCompletableFuture().join(),
            limiter.acquireAsync("k", MINUTE).join())) {
      assertThat(decision.allowed()).isTrue();
      assertThat(decision.reason()).contains(CLOSED);
    }
  }

  @Test
  void all_other_operations_of_a_closed_store_fail() {
    MemoryStore store = MemoryStore.create();
    RateLimiter limiter = RateLimiter.of(store, FIVE);
    limiter.hit("k");
    store.close();
    store.close();
    KeyedLimit one = FIVE.on("k");
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> limiter.inc("k", 1),
            () -> limiter.get("k"),
            () -> limiter.set("k", 1),
            () -> limiter.refund("k", 1),
            () -> limiter.reset("k"),
            () -> limiter.reset(one, LOG.on("k")),
            () -> limiter.expiresAt(one),
            limiter::clean,
            () -> store.run(Operation.HIT, FIVE, one.key(), 1),
            () -> store.run(Operation.HIT, List.of(one)))) {
      assertThatThrownBy(call).isInstanceOf(StoreException.class).hasMessage(CLOSED);
    }
    CompletableFuture<?> future = limiter.getAsync(one).toCompletableFuture();
    assertThatThrownBy(future::join).hasRootCauseMessage(CLOSED);
    assertThat(store.trouble()).contains(CLOSED);
  }

  @Test
  void an_answer_in_plain_numbers_is_that_of_a_limit_not_in_use() {
    MemoryStore store = MemoryStore.create();
    store.ask(Operation.HIT, FIVE, Key.of("k"), 5);
    store.close();
    Outcome told = new Outcome();
    store.ask(Operation.HIT, FIVE, Key.of("k"), 1, told, new State());
    assertThat(told.allowed).isTrue();
    assertThat(told.remaining).isEqualTo(5);
  }

  @Test
  void a_fallback_answers_for_a_store_that_was_closed() {
    try (MemoryStore primary = MemoryStore.create()) {
      RateLimiter limiter = RateLimiter.of(primary.orElse(Store.denying()), FIVE);
      primary.close();
      assertThat(limiter.hit("k").allowed()).isFalse();
      assertThat(limiter.hit("k").reason()).contains(CLOSED);
      assertThatThrownBy(() -> limiter.get("k")).hasMessage(CLOSED);
    }
  }

  @Test
  void a_fallback_and_a_share_that_are_closed_say_so() {
    Store both = MemoryStore.create().orElse(MemoryStore.create().share(2));
    RateLimiter limiter = RateLimiter.of(both, FIVE);
    both.close();
    assertThat(both.trouble()).contains(CLOSED);
    Decision decision = limiter.hit("k");
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.reason()).contains(CLOSED + "; its fallback failed too: " + CLOSED);
  }

  @Test
  void closing_a_limiter_leaves_a_store_open_that_is_not_its_own() {
    try (MemoryStore store = MemoryStore.create()) {
      RateLimiter limiter = RateLimiter.of(store, FIVE);
      limiter.close();
      assertThat(limiter.hit("k").degraded()).isFalse();
    }
  }
}
