package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Costs that make no sense are refused, those that can never fit are denied, and neither is kept.
 */
interface CostRules {

  /** What the tests work with. */
  Bench bench();

  @Test
  default void a_cost_below_one_is_refused_and_leaves_nothing_behind() {
    for (Limit limit : Bench.limitsAndQuota(5, Duration.ofMinutes(1))) {
      RateLimiter limiter = RateLimiter.of(bench().store, limit);
      String key = Bench.freshKey();
      for (long cost : new long[] {0, -1, -(1L << 31), Long.MIN_VALUE}) {
        assertThatThrownBy(() -> limiter.hit(key, cost))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("cost must be at least 1: " + cost);
        assertThatThrownBy(() -> limiter.inc(key, cost))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("n must be at least 1: " + cost);
      }
      assertThat(limiter.expiresAt(key)).as(limit.toString()).isEmpty();
    }
  }

  @Test
  default void a_cost_beyond_the_limit_is_denied_for_ever_and_leaves_nothing_behind() {
    for (Limit limit : Bench.limitsAndQuota(5, Duration.ofMinutes(1))) {
      RateLimiter limiter = RateLimiter.of(bench().store, limit);
      String key = Bench.freshKey();
      long edge = 1L << 53;
      for (long cost : new long[] {6, 1L << 31, edge - 1, edge, edge + 1, Long.MAX_VALUE}) {
        Decision decision = limiter.hit(key, cost);
        assertThat(decision.allowed()).as("%d of %s", cost, limit).isFalse();
        assertThat(decision.neverFits()).as("%d of %s", cost, limit).isTrue();
        assertThat(decision.retryAfter()).isEqualTo(Decision.NEVER);
        assertThat(decision.remaining()).isEqualTo(5);
      }
      assertThat(limiter.expiresAt(key)).as(limit.toString()).isEmpty();
    }
  }

  @Test
  default void the_largest_numbers_are_charged_set_and_given_back_without_overflow() {
    for (Limit limit : Bench.limitsAndQuota(5, Duration.ofMinutes(1))) {
      RateLimiter limiter = RateLimiter.of(bench().store, limit);
      String key = Bench.freshKey();
      // A bucket owes at most its capacity and its amount, everything else at most 2^53 - 1.
      long most = limit.kind().isBucket() ? 10 : (1L << 53) - 1;
      assertThat(limiter.inc(key, Long.MAX_VALUE)).as(limit.toString()).isEqualTo(most);
      assertThat(limiter.inc(key, (1L << 53) - 1)).as(limit.toString()).isEqualTo(most);
      assertThat(limiter.hit(key).allowed()).as(limit.toString()).isFalse();
      limiter.set(key, Long.MAX_VALUE);
      assertThat(limiter.get(key)).as(limit.toString()).isEqualTo(most);
      limiter.refund(key, Long.MAX_VALUE);
      assertThat(limiter.get(key)).as(limit.toString()).isZero();
      assertThat(limiter.hit(key, 5).allowed()).as(limit.toString()).isTrue();
    }
  }
}
