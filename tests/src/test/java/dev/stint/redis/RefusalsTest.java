package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who was refused is refused again without a trip, for a moment, and in no other case. */
@Tag("redis")
class RefusalsTest {

  private static final Limit LIMIT = Limit.parse("5/second");

  private final ManualTime time = ManualTime.create();
  private final String key = UUID.randomUUID().toString();
  private final RedisStore remembering =
      RedisStore.builder(Servers.redis().uri())
          .deadline(Duration.ofSeconds(20))
          .connectTimeout(Duration.ofSeconds(20))
          .time(time)
          .rememberRefusals(Duration.ofMillis(100))
          .build();
  private final RedisStore plain = Servers.patient(Servers.redis().uri(), time);
  private final RateLimiter limiter = RateLimiter.of(remembering);
  private final RateLimiter elsewhere = RateLimiter.of(plain);

  @AfterEach
  void close() {
    remembering.close();
    plain.close();
  }

  private void refuse(KeyedLimit limit) {
    elsewhere.inc(limit.cost(5));
    assertThat(limiter.hit(limit).allowed()).isFalse();
    elsewhere.reset(limit);
  }

  @Test
  void a_refusal_stands_for_its_age_and_tells_the_wait_as_it_is_by_then() {
    KeyedLimit limit = LIMIT.on(key);
    refuse(limit);
    time.advance(Duration.ofMillis(99));
    Decision decision = limiter.hit(limit);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.retryAfter()).isEqualTo(Duration.ofMillis(101));
    assertThat(limiter.peek(limit.cost(2)).retryAfter()).isEqualTo(Duration.ofMillis(301));
    time.advance(Duration.ofMillis(1));
    assertThat(limiter.hit(limit).allowed()).isTrue();
  }

  @Test
  void a_refusal_ends_with_its_wait() {
    KeyedLimit limit = Limit.parse("50/second burst 1").on(key);
    assertThat(limiter.hit(limit).allowed()).isTrue();
    assertThat(limiter.hit(limit).retryAfter()).isEqualTo(Duration.ofMillis(20));
    time.advance(Duration.ofMillis(20));
    assertThat(limiter.hit(limit).allowed()).isTrue();
  }

  @Test
  void a_smaller_cost_another_amount_another_key_and_another_limit_are_asked_for() {
    refuse(LIMIT.on(key).cost(3));
    assertThat(limiter.peek(LIMIT.on(key).cost(2)).allowed()).isTrue();
    assertThat(limiter.peek(Limit.parse("6/second").on(key).cost(3)).allowed()).isTrue();
    assertThat(limiter.peek(LIMIT.on(key + "x").cost(3)).allowed()).isTrue();
    assertThat(limiter.peek(LIMIT.named("other").on(key).cost(3)).allowed()).isTrue();
    assertThat(limiter.peek(LIMIT.on(key).cost(3), LIMIT.on(key + "y")).allowed()).isTrue();
    assertThat(limiter.peek(LIMIT.on(key).cost(3)).allowed()).isFalse();
  }

  @Test
  void what_counts_denied_hits_is_always_asked_for() {
    KeyedLimit limit = Limit.fixedWindow(5, Duration.ofMinutes(1)).countingDenied().on(key);
    refuse(limit);
    assertThat(limiter.hit(limit).allowed()).isTrue();
  }

  @Test
  void what_gives_units_back_through_the_same_store_forgets_the_refusal() {
    KeyedLimit limit = LIMIT.on(key);
    refuse(limit);
    limiter.reset(limit);
    assertThat(limiter.hit(limit).allowed()).isTrue();
  }

  @Test
  void no_more_than_100_ms_can_be_asked_for() {
    assertThatThrownBy(
            () -> RedisStore.builder("redis://localhost").rememberRefusals(Duration.ofMillis(101)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("age must be at most 100 ms: PT0.101S");
  }
}
