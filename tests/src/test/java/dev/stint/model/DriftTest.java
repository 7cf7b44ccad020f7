package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A bucket that lives for a year admits exactly what its rate says, to the single request. */
class DriftTest {
  private static final long YEAR = 365L * 24 * 3_600 * 1_000_000;

  private final ManualTime time = ManualTime.at(Instant.parse("2024-02-29T12:34:56.789012Z"));
  private final long begin = time.micros();

  @Test
  void thirty_thousand_a_second_do_not_drift_in_a_year() throws Exception {
    spendForAYear(30_000, 1_000_000, 2L * 3_600 * 1_000_000);
  }

  @Test
  void seven_in_three_seconds_do_not_drift_in_a_year() throws Exception {
    spendForAYear(7, 3_000_000, 2L * 3_600 * 1_000_000);
  }

  @Test
  void seven_in_three_seconds_do_not_drift_when_every_one_is_taken_at_its_moment()
      throws Exception {
    try (MemoryStore store = MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build();
        RateLimiter limiter = RateLimiter.of(store, Limit.tokenBucket(7, Duration.ofSeconds(3)))) {
      limiter.hit("key", 7);
      for (long taken = 1; taken <= 1_000_000; taken++) {
        time.advance(limiter.peek("key").retryAfter());
        assertThat(limiter.hit("key").allowed()).isTrue();
        assertThat(elapsed()).isEqualTo((taken * 3_000_000 + 6) / 7);
      }
    }
  }

  private long elapsed() {
    return time.micros() - begin;
  }

  /**
   * Empties a bucket that holds a year's worth, then takes whatever has come back after each random
   * leap.
   */
  private void spendForAYear(long amount, long window, long longestLeap) throws Exception {
    long capacity = YEAR / window * amount;
    Limit limit = Limit.tokenBucket(amount, Duration.ofMillis(window / 1_000)).burst(capacity);
    SplittableRandom random = new SplittableRandom(amount);
    try (MemoryStore store = MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build();
        RateLimiter limiter = RateLimiter.of(store, limit)) {
      assertThat(limiter.hit("key", capacity).allowed()).isTrue();
      long spent = 0;
      while (elapsed() < YEAR) {
        time.setMicros(time.micros() + random.nextLong(1, longestLeap));
        long left = limiter.peek("key").remaining();
        if (left > 0) {
          assertThat(limiter.hit("key", left).allowed()).isTrue();
        }
        spent += left;
        assertThat(spent).isEqualTo(earned(amount, window, elapsed()));
        Decision denied = limiter.hit("key");
        assertThat(denied.allowed()).isFalse();
        long next = elapsed() + denied.retryAfter().toNanos() / 1_000;
        assertThat(earned(amount, window, next)).isEqualTo(spent + 1);
        assertThat(earned(amount, window, next - 1)).isEqualTo(spent);
      }
    }
  }

  private static long earned(long amount, long window, long micros) {
    return BigInteger.valueOf(micros)
        .multiply(BigInteger.valueOf(amount))
        .divide(BigInteger.valueOf(window))
        .longValueExact();
  }
}
