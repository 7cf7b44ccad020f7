package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the memory store promises when the clock steps, the scripts in Redis promise too. */
@Tag("redis")
class RedisClockStepTest {

  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int AMOUNT = 10;
  private static final AtomicLong KEYS = new AtomicLong();

  private static final ManualTime TIME = ManualTime.create();
  private static RedisStore store;

  private final String key = "clock step " + KEYS.getAndIncrement();

  @BeforeAll
  static void connect() {
    store = Servers.patient(Servers.redis().uri(), TIME);
  }

  @AfterAll
  static void close() {
    store.close();
  }

  static Stream<Arguments> limitsAndSteps() {
    List<Limit> limits =
        List.of(
            Limit.fixedWindow(AMOUNT, WINDOW),
            Limit.fixedWindowPerKey(AMOUNT, WINDOW),
            Limit.slidingLog(AMOUNT, WINDOW),
            Limit.slidingCounter(AMOUNT, WINDOW),
            Limit.tokenBucket(AMOUNT, WINDOW),
            Limit.tokenBucket(AMOUNT, Duration.ofNanos(59_999_999_000L)).named("fractions"),
            Limit.leakyBucket(AMOUNT, WINDOW));
    List<Duration> steps =
        List.of(
            Duration.ofSeconds(1),
            WINDOW,
            WINDOW.plusNanos(1000),
            Duration.ofHours(1),
            Duration.ofDays(1),
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
    RateLimiter limiter = RateLimiter.of(store, limit);
    limiter.hit(key, AMOUNT);
    Duration before = limiter.peek(key).retryAfter();
    TIME.set(TIME.now().plus(step));

    // Walk the promised moments until a hit passes: refusals must not push it away.
    Duration blocked = Duration.ZERO;
    for (Decision hit = limiter.hit(key); !hit.allowed(); hit = limiter.hit(key)) {
      assertThat(hit.retryAfter()).isPositive();
      blocked = blocked.plus(hit.retryAfter());
      TIME.advance(hit.retryAfter());
    }
    assertThat(blocked).isLessThanOrEqualTo(before.plus(WINDOW));
  }

  @ParameterizedTest
  @MethodSource("limitsAndSteps")
  void a_step_mints_at_most_one_capacity_and_a_small_one_back_nothing(Limit limit, Duration step) {
    RateLimiter limiter = RateLimiter.of(store, limit);
    limiter.hit(key, AMOUNT);
    TIME.set(TIME.now().plus(step));
    int minted = 0;
    while (minted <= AMOUNT && limiter.hit(key).allowed()) {
      minted++;
    }
    boolean nothing = step.isNegative() && step.negated().compareTo(limit.window()) <= 0;
    assertThat(minted).isLessThanOrEqualTo(nothing ? 0 : AMOUNT);
  }
}
