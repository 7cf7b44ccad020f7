package dev.stint.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** A store that fails is told once how its caller was answered instead. */
class AnsweredFailureTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Limit TWO = Limit.fixedWindowPerKey(2, MINUTE);
  private static final Limit TEN = Limit.tokenBucket(10, MINUTE);
  private static final KeyedLimit[] BOTH = {TWO.on("a"), TEN.on("b")};

  private final List<Boolean> told = new ArrayList<>();
  private final MemoryStore memory = MemoryStore.builder().time(ManualTime.create()).build();
  private final FailingStore failing = new FailingStore(memory).fail(() -> new Listening(told));

  /** An exception that notes what it is told. */
  private static final class Listening extends StoreException {

    private static final long serialVersionUID = 1;

    private final transient List<Boolean> told;

    Listening(List<Boolean> told) {
      super("no route");
      this.told = told;
    }

    @Override
    public void answered(boolean admitted) {
      told.add(admitted);
    }
  }

  private static Decision join(CompletableFuture<Decision> answer) {
    assertThat(answer).isDone();
    return answer.join();
  }

  @Test
  void by_a_limiter_that_admits() throws Exception {
    RateLimiter limiter = RateLimiter.of(failing, TWO);
    limiter.hit("a");
    limiter.hit(BOTH);
    limiter.acquire("a", MINUTE);
    assertThat(told).containsExactly(true, true, true);
  }

  @Test
  void by_a_limiter_that_admits_in_a_future() {
    RateLimiter limiter = RateLimiter.of(failing, TWO);
    join(limiter.hitAsync("a").toCompletableFuture());
    join(limiter.hitAsync(BOTH).toCompletableFuture());
    join(limiter.acquireAsync("a", MINUTE));
    failing.failAsync(e -> CompletableFuture.failedFuture(new CompletionException(e)));
    join(limiter.hitAsync("a").toCompletableFuture());
    failing.failAsync(
        e -> {
          throw e;
        });
    join(limiter.hitAsync("a").toCompletableFuture());
    assertThat(told).containsExactly(true, true, true, true, true);
  }

  @Test
  void by_a_limiter_on_a_share_of_the_store() {
    RateLimiter limiter = RateLimiter.of(failing.share(2), TWO);
    limiter.hit("a");
    limiter.hit(BOTH);
    join(limiter.hitAsync(BOTH).toCompletableFuture());
    assertThat(told).containsExactly(true, true, true);
  }

  @Test
  void by_a_fallback_that_decides() {
    Store store = failing.orElse(memory);
    for (int i = 0; i < 3; i++) {
      RateLimiter.of(store, TWO).hit("a");
    }
    assertThat(told).containsExactly(true, true, false);
    told.clear();
    for (int i = 0; i < 3; i++) {
      RateLimiter.of(store).hit(TWO.on("b"), TEN.on("b"));
    }
    assertThat(told).containsExactly(true, true, false);
    told.clear();
    for (int i = 0; i < 3; i++) {
      join(RateLimiter.of(store).hitAsync(TWO.on("c"), TEN.on("c")).toCompletableFuture());
    }
    assertThat(told).containsExactly(true, true, false);
  }

  @Test
  void by_a_fallback_in_which_a_shadow_refuses_as_admitted() {
    memory.run(Operation.HIT, List.of(TWO.on("a").cost(2)));
    assertThat(RateLimiter.of(failing.orElse(memory)).hit(TWO.on("a").shadow()).allowed()).isTrue();
    assertThat(told).containsExactly(true);
  }

  @Test
  void by_a_fallback_that_admits_or_denies_everything() {
    RateLimiter.of(failing.orElse(Store.admitting()), TWO).hit("a");
    RateLimiter.of(failing.orElse(Store.denying()), TWO).hit("a");
    RateLimiter.of(failing.orElse(Store.denying()), TWO).hitAsync("a");
    assertThat(told).containsExactly(true, false, false);
  }

  @Test
  void by_whatever_answers_when_its_fallback_has_failed_too() {
    List<Boolean> toldToFallback = new ArrayList<>();
    FailingStore fallback = new FailingStore(memory).fail(() -> new Listening(toldToFallback));
    Store store = failing.orElse(fallback);
    assertThatThrownBy(() -> store.run(Operation.HIT, List.of(BOTH)))
        .isInstanceOf(StoreException.class);
    assertThat(store.runAsync(Operation.HIT, List.of(BOTH)).toCompletableFuture())
        .isCompletedExceptionally();
    assertThat(told).isEmpty();
    RateLimiter.of(store).hit(BOTH);
    join(RateLimiter.of(store.orElse(Store.denying())).hitAsync(BOTH).toCompletableFuture());
    assertThat(told).containsExactly(true, false);
    assertThat(toldToFallback).containsExactly(true, false);
  }

  @Test
  void through_an_exception_that_wraps_its_own() {
    StoreException wrapped = new StoreException("no store", new Listening(told));
    failing.fail(() -> new StoreException("no limit", wrapped));
    RateLimiter.of(failing, TWO).hit("a");
    assertThat(told).containsExactly(true);
    new StoreException("no store", new IllegalStateException("a bug")).answered(true);
  }

  @Test
  void that_a_future_which_was_cancelled_meanwhile_admits_no_caller() {
    CompletableFuture<Decision> answer = new CompletableFuture<>();
    failing.failAsync(e -> answer);
    CompletableFuture<Decision> waiting = RateLimiter.of(failing, TWO).acquireAsync("a", MINUTE);
    waiting.cancel(true);
    answer.completeExceptionally(new Listening(told));
    assertThat(told).containsExactly(false);
  }

  @Test
  void and_not_at_all_when_its_exception_is_thrown_on() {
    assertThatThrownBy(() -> failing.run(Operation.HIT, List.of(BOTH)))
        .isInstanceOf(Listening.class);
    assertThatThrownBy(() -> RateLimiter.of(failing.orElse(memory), TWO).inc("a", 1))
        .isInstanceOf(Listening.class);
    assertThat(told).isEmpty();
  }
}
