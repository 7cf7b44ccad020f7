package dev.stint.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DecisionTest {

  private static final Limit THREE = Limit.parse("3/minute fixed-window-per-key");

  private final ManualTime time = ManualTime.at(Instant.parse("2024-06-01T00:00:00Z"));
  private final MemoryStore store = MemoryStore.builder().time(time).build();
  private final RateLimiter limiter = RateLimiter.of(store, THREE);

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void reads_as_a_line_of_a_log() {
    assertThat(limiter.hit("k")).hasToString("allowed by 3/minute fixed-window-per-key, 2 left");
    time.advance(Duration.ofSeconds(1));
    assertThat(limiter.hit("k", 3))
        .hasToString("denied by 3/minute fixed-window-per-key, 2 left, retry in PT59S");
    assertThat(limiter.hit("k", 4))
        .hasToString("denied by 3/minute fixed-window-per-key, 2 left, never fits");
  }

  @Test
  void has_every_number_that_a_header_needs() {
    limiter.hit("k", 2);
    time.advance(Duration.ofSeconds(20));
    Decision decision = limiter.hit("k", 2);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.limit()).isSameAs(THREE);
    assertThat(decision.amount()).isEqualTo(3);
    assertThat(decision.used()).isEqualTo(2);
    assertThat(decision.remaining()).isEqualTo(1);
    assertThat(decision.retryAfter()).isEqualTo(Duration.ofSeconds(40));
    assertThat(decision.nextAfter()).contains(Duration.ofSeconds(40));
    assertThat(decision.resetAfter()).isEqualTo(Duration.ofSeconds(40));
    assertThat(decision.neverFits()).isFalse();
    assertThat(decision.shared()).isFalse();
    assertThat(decision.degraded()).isFalse();
    assertThat(decision.reason()).isEmpty();
  }

  @Test
  void of_one_limit_lists_itself() {
    Decision decision = limiter.hit("k");
    assertThat(decision.limits()).containsExactly(decision);
  }

  @Test
  void of_several_limits_lists_them_in_the_order_asked() {
    Limit hour = Limit.parse("9/hour");
    Decision decision = limiter.hit(hour.on("a"), THREE.on("b"));
    assertThat(decision.limits()).extracting(Decision::limit).containsExactly(hour, THREE);
    assertThat(decision.limit()).isEqualTo(THREE);
    assertThat(decision.remaining()).isEqualTo(2);
  }

  @Test
  void tells_when_the_key_is_as_new() {
    assertThat(limiter.expiresAt("k")).isEmpty();
    limiter.hit("k");
    assertThat(limiter.expiresAt("k")).contains(Instant.parse("2024-06-01T00:01:00Z"));
    limiter.hit(Limit.quota(5).on("k"));
    assertThat(limiter.expiresAt(Limit.quota(5).on("k"))).contains(Instant.MAX);
  }

  @Test
  void remembers_the_tags_of_what_it_charged() {
    Limit hour = Limit.parse("9/hour");
    assertThat(limiter.hit(THREE.on("k").in("acme")).charges())
        .extracting(KeyedLimit::tag)
        .containsExactly("acme");
    assertThat(limiter.hit(THREE.on("k").in("acme").shadow()).charges())
        .extracting(KeyedLimit::tag)
        .containsExactly("acme");
    assertThat(limiter.hit(hour.on("a"), THREE.on("b").in("acme")).charges())
        .extracting(KeyedLimit::tag)
        .containsExactly(null, "acme");
  }

  @Test
  void under_a_tag_is_otherwise_the_same() {
    limiter.hit(THREE.on("k").in("acme"));
    Decision decision = limiter.hit(THREE.on("k").in("acme"));
    assertThat(decision).hasToString("allowed by 3/minute fixed-window-per-key, 1 left");
    assertThat(decision.resetAfter()).isEqualTo(Duration.ofMinutes(1));
    limiter.refund(decision);
    assertThat(limiter.get("k")).isEqualTo(1);
  }

  @Test
  void of_a_quota_that_nobody_touched_is_as_new() {
    long now = time.micros();
    Limit five = Limit.quota(5);
    Decision decision =
        Decision.of(five, Key.of("k"), true, false, null, now, 1, false, now, 0, 0, 0);
    assertThat(decision.remaining()).isEqualTo(5);
    assertThat(decision.resetAfter()).isZero();
  }
}
