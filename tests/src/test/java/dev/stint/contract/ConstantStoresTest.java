package dev.stint.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stores that have the same answer for everybody. */
class ConstantStoresTest {

  private static final Limit FIVE = Limit.fixedWindowPerKey(5, Duration.ofMinutes(1));
  private static final Limit BURST = Limit.tokenBucket(10, Duration.ofSeconds(10)).burst(20);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final RateLimiter admitting = RateLimiter.of(Store.admitting(), FIVE);
  private final RateLimiter denying = RateLimiter.of(Store.denying(), FIVE);

  @Test
  void the_one_admits_everything_and_shows_every_limit_as_free() {
    for (Decision decision :
        List.of(
            admitting.hit("k", 5),
            admitting.hit("k", 6),
            admitting.peek("k"),
            admitting.hit(FIVE.on("k")),
            admitting.hitAsync("k").toCompletableFuture().join())) {
      assertThat(decision.allowed()).isTrue();
      assertThat(decision.used()).isZero();
      assertThat(decision.remaining()).isEqualTo(5);
      assertThat(decision.retryAfter()).isZero();
      assertThat(decision.nextAfter()).isEmpty();
      assertThat(decision.resetAfter()).isZero();
      assertThat(decision.charges()).isEmpty();
      assertThat(decision.reason()).contains("this store admits everything");
    }
  }

  @Test
  void the_other_denies_everything_and_says_to_come_back_in_a_second() {
    for (Decision decision :
        List.of(
            denying.hit("k"),
            denying.hit("k", 5),
            denying.peek("k"),
            denying.hit(FIVE.on("k")),
            denying.hitAsync("k").toCompletableFuture().join())) {
      assertThat(decision.allowed()).isFalse();
      assertThat(decision.used()).isEqualTo(5);
      assertThat(decision.remaining()).isZero();
      assertThat(decision.retryAfter()).isEqualTo(SECOND);
      assertThat(decision.nextAfter()).contains(SECOND);
      assertThat(decision.resetAfter()).isEqualTo(SECOND);
      assertThat(decision.charges()).isEmpty();
      assertThat(decision.reason()).contains("this store denies everything");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "5/minute",
        "5/minute burst 9",
        "5/minute leaky-bucket",
        "5/minute fixed-window",
        "5/minute fixed-window counting-denied",
        "5/minute fixed-window-per-key",
        "5/minute sliding-counter",
        "5/minute sliding-log",
        "5 total",
      })
  void every_kind_of_limit_is_denied_for_a_second(String rate) {
    Limit limit = Limit.parse(rate);
    Decision decision = denying.hit(limit.on("k"));
    assertThat(decision.used()).isEqualTo(limit.capacity());
    assertThat(decision.retryAfter()).isEqualTo(SECOND);
    assertThat(decision.resetAfter()).isEqualTo(SECOND);
    assertThat(decision.charges()).isEmpty();
  }

  @Test
  void a_window_shorter_than_a_second_is_the_wait() {
    Decision decision = denying.hit(Limit.fixedWindow(5, Duration.ofMillis(100)).on("k"));
    assertThat(decision.retryAfter()).isEqualTo(Duration.ofMillis(100));
    assertThat(decision.nextAfter()).contains(Duration.ofMillis(100));
    assertThat(decision.resetAfter()).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void what_never_fits_is_not_told_to_come_back() {
    assertThat(denying.hit("k", 6).neverFits()).isTrue();
    assertThat(denying.hit(BURST.on("k").cost(20)).retryAfter()).isEqualTo(SECOND);
    assertThat(denying.hit(BURST.on("k").cost(21)).neverFits()).isTrue();
  }

  @Test
  void several_limits_have_each_their_answer() {
    assertThat(admitting.hit(BURST.on("a"), FIVE.on("b")).limits())
        .allMatch(Decision::allowed)
        .allMatch(Decision::degraded)
        .extracting(Decision::remaining)
        .containsExactly(20L, 5L);
    assertThat(denying.hit(BURST.on("a"), FIVE.on("b")).limits())
        .noneMatch(Decision::allowed)
        .allMatch(Decision::degraded)
        .extracting(Decision::used)
        .containsExactly(20L, 5L);
  }

  @Test
  void a_shadow_refuses_nobody_here_either() {
    assertThat(denying.hit(FIVE.on("k").shadow()).allowed()).isTrue();
    assertThat(denying.hit(FIVE.on("k").shadow(), BURST.on("k")).limit()).isEqualTo(BURST);
  }

  @Test
  void nothing_is_ever_in_use() {
    for (RateLimiter limiter : List.of(admitting, denying)) {
      assertThat(limiter.inc("k", 3)).isZero();
      limiter.set("k", 4);
      limiter.refund("k", 1);
      limiter.refund(limiter.hit("k"));
      assertThat(limiter.get("k")).isZero();
      assertThat(limiter.expiresAt("k")).isEmpty();
      limiter.reset("k");
      assertThat(limiter.clean()).isZero();
      limiter.close();
    }
  }

  @Test
  void they_can_always_be_asked() {
    assertThat(Store.admitting().trouble()).isEmpty();
    assertThat(Store.denying().trouble()).isEmpty();
  }

  @Test
  void as_fallbacks_they_give_the_reason_of_the_store_that_failed() {
    FailingStore failing = new FailingStore(MemoryStore.create()).fail("no route");
    Decision admitted = RateLimiter.of(failing.orElse(Store.admitting()), FIVE).hit("k");
    Decision denied = RateLimiter.of(failing.orElse(Store.denying()), FIVE).hit("k");
    assertThat(admitted)
        .hasToString("allowed by 5/minute fixed-window-per-key, 5 left, degraded: no route");
    assertThat(denied)
        .hasToString(
            "denied by 5/minute fixed-window-per-key, 0 left, retry in PT1S, degraded: no route");
    assertThat(denied.limits()).allSatisfy(one -> assertThat(one.reason()).contains("no route"));
  }

  @Test
  void who_waits_while_all_are_denied_is_admitted_when_the_store_is_back() throws Exception {
    ManualTime time = ManualTime.create();
    FailingStore failing =
        new FailingStore(MemoryStore.builder().time(time).build()).fail("no route");
    RateLimiter limiter = RateLimiter.of(failing.orElse(Store.denying()), FIVE);
    assertThat(limiter.acquire("k", Duration.ofMillis(999)).allowed()).isFalse();
    CompletableFuture<Decision> waiting = limiter.acquireAsync("k", Duration.ofMinutes(1));
    time.advance(SECOND);
    assertThat(waiting).isNotDone();
    failing.recover();
    time.advance(SECOND);
    assertThat(waiting).isDone();
    assertThat(waiting.join().allowed()).isTrue();
    assertThat(waiting.join().degraded()).isFalse();
  }
}
