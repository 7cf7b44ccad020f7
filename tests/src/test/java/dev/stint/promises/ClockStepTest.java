package dev.stint.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * After any step of the clock no key is blocked for longer than one window more, nor is one let
 * loose.
 */
class ClockStepTest {

  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int AMOUNT = 10;

  static Stream<Arguments> limitsAndSteps() {
    List<Limit> limits =
        List.of(
            Limit.fixedWindow(AMOUNT, WINDOW),
            Limit.fixedWindowPerKey(AMOUNT, WINDOW),
            Limit.slidingLog(AMOUNT, WINDOW),
            Limit.slidingCounter(AMOUNT, WINDOW),
            Limit.tokenBucket(AMOUNT, WINDOW),
            Limit.leakyBucket(AMOUNT, WINDOW));
    List<Duration> steps =
        List.of(
            Duration.ofNanos(1000),
            Duration.ofSeconds(1),
            WINDOW.minusNanos(1000),
            WINDOW,
            WINDOW.plusNanos(1000),
            Duration.ofHours(1),
            Duration.ofDays(365));
    return limits.stream()
        .flatMap(
            limit ->
                steps.stream()
                    .flatMap(
                        step ->
                            Stream.of(
                                Arguments.of(limit, step.negated()), Arguments.of(limit, step))));
  }

  @ParameterizedTest
  @MethodSource("limitsAndSteps")
  void nobody_is_blocked_for_longer_than_a_window_more(Limit limit, Duration step) {
    ManualTime time = ManualTime.create();
    RateLimiter limiter = RateLimiter.of(MemoryStore.builder().time(time).build(), limit);
    limiter.hit("k", AMOUNT);
    Duration before = limiter.peek("k").retryAfter();
    time.set(time.now().plus(step));

    // Walk the promised moments until a hit passes: refusals must not push it away.
    Duration blocked = Duration.ZERO;
    for (Decision hit = limiter.hit("k"); !hit.allowed(); hit = limiter.hit("k")) {
      assertThat(hit.retryAfter()).isPositive();
      blocked = blocked.plus(hit.retryAfter());
      time.advance(hit.retryAfter());
    }
    assertThat(blocked).isLessThanOrEqualTo(before.plus(WINDOW));
  }

  @ParameterizedTest
  @MethodSource("limitsAndSteps")
  void a_step_back_mints_nothing_up_to_a_window_and_one_capacity_beyond(
      Limit limit, Duration step) {
    ManualTime time = ManualTime.create();
    RateLimiter limiter = RateLimiter.of(MemoryStore.builder().time(time).build(), limit);
    limiter.hit("k", AMOUNT);
    if (!step.isNegative()) {
      return;
    }
    time.set(time.now().plus(step));
    int minted = 0;
    while (minted <= AMOUNT && limiter.hit("k").allowed()) {
      minted++;
    }
    boolean small = step.negated().compareTo(WINDOW) <= 0;
    assertThat(minted).isLessThanOrEqualTo(small ? 0 : AMOUNT);
  }
}
