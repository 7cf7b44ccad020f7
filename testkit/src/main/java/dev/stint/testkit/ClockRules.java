package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Waits are kept to the microsecond, and no clock may lock anybody out. */
interface ClockRules {

  /** What the tests work with. */
  Bench bench();

  /** Limits whose numbers divide evenly, and limits whose numbers do not. */
  private static List<Limit> limits() {
    List<Limit> limits = new ArrayList<>();
    limits.addAll(Bench.limits(10, Duration.ofSeconds(1)));
    limits.addAll(Bench.limits(7, Duration.ofSeconds(3)));
    limits.addAll(Bench.limits(13, Duration.ofMillis(17)));
    limits.add(Limit.tokenBucket(30_000, Duration.ofSeconds(1)).burst(11));
    limits.add(Limit.slidingCounter(300_000, Duration.ofDays(1)));
    return limits;
  }

  @TestFactory
  default Stream<DynamicTest> admits_at_the_promised_moment_and_not_a_microsecond_before() {
    return limits().stream().map(limit -> dynamicTest(limit.toString(), () -> keepsItsWord(limit)));
  }

  private void keepsItsWord(Limit limit) {
    RateLimiter limiter = bench().limiter;
    ManualTime time = bench().time;
    KeyedLimit place = limit.on(Bench.freshKey());
    SplittableRandom random = new SplittableRandom(42);
    long whole = limit.window().toNanos() / 1000 * limit.capacity() / limit.amount();
    int refusals = 0;
    for (int i = 0; i < 200; i++) {
      KeyedLimit asked = place.cost(1 + random.nextLong(limit.capacity()));
      Decision decision = limiter.hit(asked);
      if (!decision.allowed()) {
        refusals++;
        time.advance(decision.retryAfter().minusNanos(1000));
        Decision early = limiter.hit(asked);
        assertThat(early.allowed()).as("%s a microsecond early, hit %d", asked, i).isFalse();
        assertThat(early.retryAfter()).isEqualTo(Duration.ofNanos(1000));
        time.advanceMicros(1);
        assertThat(limiter.hit(asked).allowed()).as("%s in time, hit %d", asked, i).isTrue();
      }
      time.advanceMicros(random.nextLong(1 + whole / 3));
    }
    assertThat(refusals).isGreaterThan(20);
  }

  @TestFactory
  default Stream<DynamicTest> a_clock_that_jumps_mints_nothing_and_locks_nobody_out() {
    return Bench.limits(5, Duration.ofMinutes(1)).stream()
        .map(limit -> dynamicTest(limit.toString(), () -> survivesJumps(limit)));
  }

  private void survivesJumps(Limit limit) {
    for (Duration jump :
        List.of(
            Duration.ofNanos(1000),
            Duration.ofSeconds(1),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1).plusNanos(1000),
            Duration.ofHours(1),
            Duration.ofDays(1),
            Duration.ofDays(365))) {
      jumpBack(limit, jump);
      jumpThere(limit, jump);
    }
  }

  private void jumpBack(Limit limit, Duration jump) {
    RateLimiter limiter = bench().limiter;
    ManualTime time = bench().time;
    KeyedLimit place = limit.on(Bench.freshKey());
    assertThat(limiter.hit(place.cost(5)).allowed()).isTrue();
    time.set(time.now().minus(jump));
    Decision decision = limiter.hit(place);
    assertThat(decision.allowed()).as("%s, %s back", limit, jump).isFalse();
    assertThat(decision.retryAfter())
        .as("%s, %s back", limit, jump)
        .isLessThanOrEqualTo(limit.window().multipliedBy(2).plusNanos(1000));
    time.advance(decision.retryAfter());
    assertThat(limiter.hit(place).allowed()).as("%s, %s back, in time", limit, jump).isTrue();
  }

  private void jumpThere(Limit limit, Duration jump) {
    RateLimiter limiter = bench().limiter;
    ManualTime time = bench().time;
    KeyedLimit place = limit.on(Bench.freshKey());
    limiter.hit(place.cost(5));
    time.advance(jump);
    limiter.set(place, 5);
    time.set(time.now().minus(jump));
    Decision decision = limiter.hit(place);
    assertThat(decision.allowed()).as("%s, %s ahead and back", limit, jump).isFalse();
    time.advance(decision.retryAfter());
    assertThat(limiter.hit(place).allowed())
        .as("%s, %s ahead, back, in time", limit, jump)
        .isTrue();
  }
}
