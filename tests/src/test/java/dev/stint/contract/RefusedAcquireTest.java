package dev.stint.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A refused acquire has charged nothing, whatever the limit counts and the store does. */
@Timeout(60)
class RefusedAcquireTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Limit COUNTING = Limit.fixedWindowPerKey(2, MINUTE).countingDenied();

  private final ManualTime time = ManualTime.create();
  private final MemoryStore memory = MemoryStore.builder().time(time).build();

  @Test
  void a_refused_acquire_counts_no_denial_and_says_so() throws Exception {
    RateLimiter limiter = RateLimiter.of(memory, COUNTING);
    limiter.hit("k", 2);
    for (Decision refused :
        List.of(
            limiter.acquire("k", Duration.ZERO),
            limiter.acquire(Key.of("k"), 2, Duration.ofSeconds(59)),
            limiter.acquireAsync("k", Duration.ZERO).join(),
            limiter.acquireAsync(Duration.ZERO, COUNTING.on("k")).join())) {
      assertThat(refused.allowed()).isFalse();
      assertThat(refused.used()).isEqualTo(2);
      assertThat(refused.retryAfter()).isEqualTo(MINUTE);
      assertThat(refused.charges()).isEmpty();
      limiter.refund(refused);
      limiter.refundAsync(refused).toCompletableFuture().join();
      assertThat(limiter.get("k")).isEqualTo(2);
    }
  }

  @Test
  void an_admitted_acquire_of_such_a_limit_charges_once() throws Exception {
    RateLimiter limiter = RateLimiter.of(memory, COUNTING);
    assertThat(limiter.acquire("k", 2, MINUTE).used()).isEqualTo(2);
    CompletableFuture<Decision> waiting = limiter.acquireAsync("k", MINUTE);
    time.advance(MINUTE);
    assertThat(waiting.join().used()).isEqualTo(1);
    assertThat(limiter.get("k")).isEqualTo(1);
  }

  @Test
  void an_acquire_whose_room_is_taken_between_asking_and_charging_gives_its_denial_back()
      throws Exception {
    RateLimiter direct = RateLimiter.of(memory, COUNTING);
    Raced store = new Raced(memory, () -> direct.hit("k", 2));
    RateLimiter limiter = RateLimiter.of(store, COUNTING);
    Decision refused = limiter.acquire("k", Duration.ZERO);
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.used()).isEqualTo(2);
    assertThat(refused.charges()).isEmpty();
    assertThat(direct.get("k")).isEqualTo(2);
    direct.reset("k");
    store.raced = false;
    Decision later = limiter.acquireAsync("k", Duration.ZERO).join();
    assertThat(later.allowed()).isFalse();
    assertThat(direct.get("k")).isEqualTo(2);
  }

  @Test
  void an_acquire_whose_denial_cannot_be_given_back_does_not_throw() throws Exception {
    RateLimiter direct = RateLimiter.of(memory, COUNTING);
    Raced store = new Raced(memory, () -> direct.hit("k", 2));
    store.undoFails = true;
    RateLimiter limiter = RateLimiter.of(store, COUNTING);
    Decision refused = limiter.acquire("k", Duration.ZERO);
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.used()).isEqualTo(3);
    assertThat(refused.charges()).isEmpty();
    direct.reset("k");
    store.raced = false;
    assertThat(limiter.acquireAsync("k", Duration.ZERO).join().allowed()).isFalse();
  }

  @Test
  void an_acquire_that_waits_while_the_store_fails_is_admitted_and_says_why() throws Exception {
    FailingStore store = new FailingStore(memory);
    RateLimiter limiter = RateLimiter.of(store, Limit.tokenBucket(1, MINUTE));
    limiter.hit("k");
    CompletableFuture<Decision> first = limiter.acquireAsync("k", Duration.ofHours(1));
    CompletableFuture<Decision> second = limiter.acquireAsync("k", Duration.ofHours(1));
    store.fail("no route to the store");
    time.advance(MINUTE);
    for (CompletableFuture<Decision> one : List.of(first, second)) {
      assertThat(one.join().allowed()).isTrue();
      assertThat(one.join().reason()).contains("no route to the store");
    }
    assertThat(limiter.waiting()).isZero();
  }

  @Test
  void an_acquire_that_gives_up_behind_others_while_the_store_fails_is_admitted_too()
      throws Exception {
    FailingStore store = new FailingStore(memory);
    RateLimiter limiter = RateLimiter.of(store, Limit.tokenBucket(1, MINUTE));
    limiter.hit("k");
    CompletableFuture<Decision> first = limiter.acquireAsync("k", Duration.ofHours(1));
    store.fail("no route to the store");
    assertThat(limiter.acquire("k", Duration.ZERO).reason()).contains("no route to the store");
    assertThat(limiter.acquireAsync("k", Duration.ZERO).join().degraded()).isTrue();
    first.cancel(true);
  }

  @Test
  void a_future_cancelled_in_the_middle_of_its_admission_is_given_back() {
    Raced store = new Raced(memory, () -> {});
    store.late = new CompletableFuture<>();
    RateLimiter limiter = RateLimiter.of(store, Limit.tokenBucket(5, MINUTE));
    CompletableFuture<Decision> waiting = limiter.acquireAsync("k", 3, MINUTE);
    assertThat(limiter.get("k")).isEqualTo(3);
    waiting.cancel(true);
    store.late.complete(null);
    assertThat(limiter.get("k")).isZero();
    assertThat(limiter.waiting()).isZero();
  }

  /** A store in which another call comes between a peek and the hit that follows it. */
  private static final class Raced implements Store {

    private final Store inner;
    private final Runnable rival;
    private boolean raced;
    private boolean undoFails;
    private CompletableFuture<Void> late;

    Raced(Store inner, Runnable rival) {
      this.inner = inner;
      this.rival = rival;
    }

    @Override
    public Decision run(Operation operation, List<KeyedLimit> limits) {
      if (operation == Operation.HIT && !raced) {
        raced = true;
        rival.run();
      }
      if (operation == Operation.UNDO && undoFails) {
        throw new StoreException("no route to the store");
      }
      return inner.run(operation, limits);
    }

    @Override
    public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
      CompletionStage<Decision> answer = Store.super.runAsync(operation, limits);
      return late == null || operation != Operation.HIT
          ? answer
          : answer.thenCombine(late, (decision, done) -> decision);
    }

    @Override
    public long clean() {
      return inner.clean();
    }

    @Override
    public TimeSource time() {
      return inner.time();
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
