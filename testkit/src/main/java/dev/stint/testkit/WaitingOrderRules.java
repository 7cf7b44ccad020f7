package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Calls that wait for the same limit and key are served in the order in which they came. */
interface WaitingOrderRules {

  Duration LONG = Duration.ofHours(1);
  Duration SECONDS_5 = Duration.ofSeconds(5);

  /** What the tests work with. */
  Bench bench();

  @TestFactory
  default Stream<DynamicTest> a_waiter_for_many_units_is_not_starved_by_waiters_for_few() {
    return Bench.limits(20, Duration.ofSeconds(2)).stream()
        .map(limit -> dynamicTest(limit.toString(), () -> isNotStarved(limit.on(freshKey()))));
  }

  @Test
  default void a_waiter_for_several_limits_is_not_starved_either() throws Exception {
    KeyedLimit wide = Limit.tokenBucket(1000, Duration.ofSeconds(2)).on(freshKey());
    isNotStarved(Limit.slidingLog(20, Duration.ofSeconds(2)).on(freshKey()), wide);
  }

  /** Ten units take a second at the limit's rate; beside eight others it may be three. */
  private void isNotStarved(KeyedLimit... places) throws Exception {
    ManualTime time = bench().time;
    AtomicBoolean over = new AtomicBoolean();
    for (int i = 0; i < 8; i++) {
      acquireAgainAndAgain(over, places);
    }
    advance(Duration.ofSeconds(5));
    KeyedLimit[] many = places.clone();
    many[0] = many[0].cost(10);
    CompletableFuture<Decision> waiting = bench().limiter.acquireAsync(LONG, many);
    long begin = time.micros();
    while (!waiting.isDone() && time.micros() - begin < 3_000_000) {
      advance(Duration.ofMillis(10));
    }
    over.set(true);
    assertThat(waiting).as("admitted within 3 s").isDone();
    assertThat(waiting.join().allowed()).isTrue();
  }

  private void acquireAgainAndAgain(AtomicBoolean over, KeyedLimit... places) {
    CompletableFuture<?> unused =
        bench()
            .limiter
            .acquireAsync(LONG, places)
            .thenAccept(
                decision -> {
                  if (!over.get()) {
                    acquireAgainAndAgain(over, places);
                  }
                });
  }

  /** Moves the time step by step, each when the first in the line sleeps. */
  private void advance(Duration duration) throws InterruptedException {
    for (long ms = 0; ms < duration.toMillis(); ms += 10) {
      bench().time.awaitSleepers(1);
      bench().time.advance(Duration.ofMillis(10));
    }
  }

  @Test
  default void waiters_are_served_in_the_order_of_their_arrival_whatever_they_cost()
      throws Exception {
    RateLimiter limiter = RateLimiter.of(bench().store, Limit.tokenBucket(5, SECONDS_5));
    String key = freshKey();
    assertThat(limiter.hit(key, 5).allowed()).isTrue();
    CompletableFuture<Decision> four = limiter.acquireAsync(key, 4, LONG);
    CompletableFuture<Decision> one = limiter.acquireAsync(key, 1, LONG);
    CompletableFuture<Decision> two = limiter.acquireAsync(key, 2, LONG);
    bench().awaitWaiting(3);
    for (CompletableFuture<Decision> next : List.of(four, one, two)) {
      int units = next == four ? 4 : next == one ? 1 : 2;
      bench().time.awaitSleepers(1);
      bench().time.advance(Duration.ofSeconds(units).minusNanos(1000));
      assertThat(next).isNotDone();
      bench().time.awaitSleepers(1);
      bench().time.advanceMicros(1);
      assertThat(Bench.get(next).allowed()).isTrue();
    }
    assertThat(limiter.waiting()).isZero();
  }

  @Test
  default void a_thread_and_a_future_wait_in_one_line() throws Exception {
    KeyedLimit place = spent();
    CompletableFuture<Decision> first = bench().limiter.acquireAsync(LONG, place.cost(3));
    Future<Decision> second = bench().start(() -> bench().limiter.acquire(LONG, place));
    bench().awaitWaiting(2);
    CompletableFuture<Decision> third = bench().limiter.acquireAsync(LONG, place);
    bench().awaitWaiting(3);
    bench().time.awaitSleepers(1);
    bench().time.advance(Duration.ofSeconds(3));
    assertThat(Bench.get(first).allowed()).isTrue();
    bench().time.awaitSleepers(1);
    bench().time.advance(Duration.ofSeconds(1));
    assertThat(Bench.get(second).allowed()).isTrue();
    assertThat(third).isNotDone();
    bench().time.awaitSleepers(1);
    bench().time.advance(Duration.ofSeconds(1));
    assertThat(Bench.get(third).allowed()).isTrue();
  }

  @Test
  default void a_waiter_that_is_cancelled_or_interrupted_lets_the_next_one_ask_at_once()
      throws Exception {
    KeyedLimit place = spent();
    Future<Decision> first = bench().start(() -> bench().limiter.acquire(LONG, place.cost(5)));
    bench().awaitWaiting(1);
    CompletableFuture<Decision> second = bench().limiter.acquireAsync(LONG, place.cost(5));
    bench().awaitWaiting(2);
    CompletableFuture<Decision> third = bench().limiter.acquireAsync(LONG, place);
    bench().awaitWaiting(3);
    bench().time.awaitSleepers(1);
    bench().time.advance(Duration.ofSeconds(2));
    assertThat(third).isNotDone();
    first.cancel(true);
    bench().awaitWaiting(2);
    bench().time.awaitSleepers(1);
    assertThat(third).isNotDone();
    second.cancel(true);
    assertThat(Bench.get(third).allowed()).isTrue();
    assertThat(bench().limiter.waiting()).isZero();
    bench().time.awaitNoSleepers();
    assertThat(bench().limiter.get(place)).isEqualTo(4);
  }

  @Test
  default void a_hit_does_not_wait_in_the_line() throws Exception {
    KeyedLimit place = spent();
    CompletableFuture<Decision> waiting = bench().limiter.acquireAsync(LONG, place.cost(2));
    bench().time.awaitSleepers(1);
    bench().time.advance(Duration.ofSeconds(1));
    assertThat(bench().limiter.hit(place).allowed()).isTrue();
    assertThat(waiting).isNotDone();
    waiting.cancel(true);
  }

  /** A bucket of five that refills one a second, with nothing left. */
  private KeyedLimit spent() {
    KeyedLimit place = Limit.tokenBucket(5, SECONDS_5).on(freshKey());
    assertThat(bench().limiter.hit(place.cost(5)).allowed()).isTrue();
    return place;
  }

  private static String freshKey() {
    return Bench.freshKey();
  }
}
