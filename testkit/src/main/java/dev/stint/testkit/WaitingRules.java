package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Who waits for room gets it as promised, or leaves without a trace. */
interface WaitingRules {

  Limit ONE_A_SECOND = Limit.tokenBucket(1, Duration.ofSeconds(1));

  /** What the tests work with. */
  Bench bench();

  @TestFactory
  default Stream<DynamicTest> acquire_waits_exactly_as_long_as_it_must() {
    return Bench.limits(3, Duration.ofSeconds(1)).stream()
        .map(limit -> dynamicTest(limit.toString(), () -> waitsExactly(limit)));
  }

  private void waitsExactly(Limit limit) throws Exception {
    ManualTime time = bench().time;
    KeyedLimit place = exhausted(limit);
    Duration wait = bench().limiter.peek(place).retryAfter();
    Future<Decision> waiting =
        bench().start(() -> bench().limiter.acquire(Duration.ofMinutes(1), place));
    time.awaitSleepers(1);
    time.advance(wait.minusNanos(1000));
    assertThat(time.sleepers()).isEqualTo(1);
    time.advanceMicros(1);
    assertThat(Bench.get(waiting).allowed()).isTrue();
    assertThat(time.sleepers()).isZero();
  }

  @Test
  default void acquire_takes_what_is_there_without_waiting() throws Exception {
    RateLimiter limiter = RateLimiter.of(bench().store, ONE_A_SECOND);
    Decision decision = limiter.acquire(Bench.freshKey(), Duration.ZERO);
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.remaining()).isZero();
  }

  @Test
  default void a_lone_thread_waits_on_a_clock_that_advances_itself() throws Exception {
    ManualTime time = ManualTime.selfAdvancing();
    RateLimiter limiter = RateLimiter.of(bench().store(time), ONE_A_SECOND);
    String key = Bench.freshKey();
    long begin = time.micros();
    for (int i = 0; i < 4; i++) {
      assertThat(limiter.acquire(key, Duration.ofSeconds(1)).allowed()).isTrue();
    }
    assertThat(time.micros() - begin).isEqualTo(3_000_000);
  }

  @Test
  default void a_wait_beyond_the_timeout_is_refused_at_once() throws Exception {
    KeyedLimit place = exhausted(ONE_A_SECOND);
    Decision decision = bench().limiter.acquire(Duration.ofMillis(999), place);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.retryAfter()).isEqualTo(Duration.ofSeconds(1));
    assertThat(bench().limiter.get(place)).isEqualTo(1);
  }

  @Test
  default void a_wait_that_never_ends_is_refused_at_once() throws Exception {
    KeyedLimit tooMuch = ONE_A_SECOND.on(Bench.freshKey()).cost(2);
    assertThat(bench().limiter.acquire(Duration.ofDays(36_500), tooMuch).neverFits()).isTrue();
    KeyedLimit spent = exhausted(Limit.quota(3));
    assertThat(bench().limiter.acquire(Decision.NEVER, spent).neverFits()).isTrue();
    assertThat(bench().limiter.get(spent)).isEqualTo(3);
  }

  @Test
  default void a_wait_as_long_as_the_timeout_is_waited() throws Exception {
    KeyedLimit place = exhausted(ONE_A_SECOND);
    Future<Decision> waiting =
        bench().start(() -> bench().limiter.acquire(Duration.ofSeconds(1), place));
    bench().time.awaitSleepers(1);
    bench().time.advance(Duration.ofSeconds(1));
    assertThat(Bench.get(waiting).allowed()).isTrue();
  }

  @Test
  default void an_interrupted_wait_leaves_no_charge() throws Exception {
    KeyedLimit place = exhausted(ONE_A_SECOND);
    Future<Decision> waiting =
        bench().start(() -> bench().limiter.acquire(Duration.ofMinutes(1), place));
    bench().time.awaitSleepers(1);
    waiting.cancel(true);
    bench().time.awaitNoSleepers();
    bench().time.advance(Duration.ofSeconds(1));
    assertThat(bench().limiter.get(place)).isZero();
    assertThat(bench().limiter.hit(place).allowed()).isTrue();
  }

  @Test
  default void a_thread_that_is_interrupted_already_does_not_wait() throws Exception {
    KeyedLimit place = ONE_A_SECOND.on(Bench.freshKey());
    Future<Decision> waiting =
        bench()
            .start(
                () -> {
                  Thread.currentThread().interrupt();
                  return bench().limiter.acquire(Duration.ofMinutes(1), place);
                });
    assertThatThrownBy(() -> Bench.get(waiting))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(bench().limiter.get(place)).isZero();
  }

  @Test
  default void waiting_threads_are_admitted_one_for_each_unit() throws Exception {
    KeyedLimit place = exhausted(ONE_A_SECOND);
    List<Future<Decision>> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(bench().start(() -> bench().limiter.acquire(Duration.ofMinutes(1), place)));
    }
    bench().awaitWaiting(3);
    for (int left = 3; left > 0; left--) {
      bench().time.awaitSleepers(1); // the first in the line; the others wait for that one
      bench().time.advance(Duration.ofSeconds(1));
      bench().awaitWaiting(left - 1);
    }
    for (Future<Decision> one : waiting) {
      assertThat(Bench.get(one).allowed()).isTrue();
    }
    assertThat(bench().limiter.get(place)).isEqualTo(1);
  }

  @Test
  default void a_future_waits_exactly_as_long_as_it_must() throws Exception {
    KeyedLimit place = exhausted(ONE_A_SECOND);
    CompletableFuture<Decision> waiting =
        bench().limiter.acquireAsync(Duration.ofMinutes(1), place);
    bench().time.awaitSleepers(1);
    bench().time.advanceMicros(999_999);
    assertThat(waiting).isNotDone();
    bench().time.advanceMicros(1);
    assertThat(Bench.get(waiting).allowed()).isTrue();
  }

  @Test
  default void futures_are_admitted_one_for_each_unit() throws Exception {
    RateLimiter limiter = RateLimiter.of(bench().store, ONE_A_SECOND);
    String key = Bench.freshKey();
    assertThat(limiter.hit(key).allowed()).isTrue();
    CompletableFuture<Decision> first = limiter.acquireAsync(key, Duration.ofSeconds(5));
    bench().time.awaitSleepers(1); // or the second call might be answered, and sleep, first
    CompletableFuture<Decision> second = limiter.acquireAsync(key, Duration.ofSeconds(5));
    bench().time.advance(Duration.ofSeconds(1));
    assertThat(Bench.get(first).allowed()).isTrue();
    bench().time.awaitSleepers(1);
    assertThat(second).isNotDone();
    bench().time.advance(Duration.ofSeconds(1));
    assertThat(Bench.get(second).allowed()).isTrue();
  }

  @Test
  default void a_hopeless_future_is_refused_at_once() throws Exception {
    KeyedLimit place = exhausted(ONE_A_SECOND);
    Decision early = Bench.get(bench().limiter.acquireAsync(Duration.ofMillis(999), place));
    assertThat(early.allowed()).isFalse();
    RateLimiter limiter = RateLimiter.of(bench().store, ONE_A_SECOND);
    Decision never = Bench.get(limiter.acquireAsync(Bench.freshKey(), 2, Duration.ofDays(1)));
    assertThat(never.neverFits()).isTrue();
    assertThat(bench().time.sleepers()).isZero();
  }

  @Test
  default void a_cancelled_future_leaves_no_charge() throws Exception {
    KeyedLimit place = exhausted(ONE_A_SECOND);
    CompletableFuture<Decision> waiting =
        bench().limiter.acquireAsync(Duration.ofMinutes(1), place);
    bench().time.awaitSleepers(1);
    assertThat(waiting.cancel(true)).isTrue();
    bench().time.awaitNoSleepers(); // the store's own thread may be about to wait
    bench().time.advance(Duration.ofSeconds(1));
    assertThat(bench().limiter.get(place)).isZero();
    assertThat(bench().limiter.hit(place).allowed()).isTrue();
  }

  @Test
  default void acquire_waits_for_all_limits_of_a_call_and_takes_all_at_once() throws Exception {
    KeyedLimit second = exhausted(ONE_A_SECOND);
    KeyedLimit minute = exhausted(Limit.fixedWindowPerKey(3, Duration.ofMinutes(1)));
    Future<Decision> waiting =
        bench().start(() -> bench().limiter.acquire(Duration.ofHours(1), second, minute));
    bench().time.awaitSleepers(1);
    bench().time.advance(Duration.ofSeconds(59));
    assertThat(bench().limiter.get(second)).isZero();
    bench().time.advance(Duration.ofSeconds(1));
    assertThat(Bench.get(waiting).allowed()).isTrue();
    assertThat(bench().limiter.get(second)).isEqualTo(1);
    assertThat(bench().limiter.get(minute)).isEqualTo(1);
  }

  /** This limit on a fresh key, with nothing left. */
  private KeyedLimit exhausted(Limit limit) {
    KeyedLimit place = limit.on(Bench.freshKey());
    assertThat(bench().limiter.hit(place.cost(limit.capacity())).allowed()).isTrue();
    return place;
  }
}
