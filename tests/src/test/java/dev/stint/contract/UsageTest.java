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
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What is in use of several limits, and which of them a number belongs to. */
class UsageTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Limit FIVE = Limit.fixedWindowPerKey(5, MINUTE);
  private static final Limit HUNDRED = Limit.fixedWindowPerKey(100, Duration.ofDays(1));

  private final ManualTime time = ManualTime.create();
  private final MemoryStore store = MemoryStore.builder().time(time).build();
  private final RateLimiter limiter = RateLimiter.of(store, HUNDRED, FIVE);

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Test
  void usage_names_the_limit_with_least_left_and_has_every_limits_own() {
    limiter.hit("k", 2);
    for (Decision usage :
        List.of(
            limiter.usage("k"),
            limiter.usage(Key.of("k")),
            limiter.usage(HUNDRED.on("k"), FIVE.on("k")),
            join(limiter.usageAsync("k")),
            join(limiter.usageAsync(Key.of("k"))),
            join(limiter.usageAsync(HUNDRED.on("k"), FIVE.on("k"))))) {
      assertThat(usage.limit()).isEqualTo(FIVE);
      assertThat(usage.used()).isEqualTo(2).isEqualTo(limiter.get("k"));
      assertThat(usage.remaining()).isEqualTo(3);
      assertThat(usage.resetAfter()).isEqualTo(MINUTE);
      assertThat(usage.limits()).extracting(Decision::limit).containsExactly(HUNDRED, FIVE);
      assertThat(usage.limits()).extracting(Decision::remaining).containsExactly(98L, 3L);
    }
  }

  @Test
  void usage_changes_nothing() {
    limiter.usage("k");
    assertThat(store.keys()).isZero();
    assertThat(limiter.usage("k").resetAfter()).isZero();
  }

  @Test
  void usage_of_a_limit_that_is_exceeded_refuses_nothing() {
    limiter.inc("k", 7);
    assertThat(limiter.usage("k").allowed()).isTrue();
    assertThat(limiter.usage("k").used()).isEqualTo(7);
    assertThat(limiter.usage("k").remaining()).isZero();
    assertThat(limiter.peek("k").allowed()).isFalse();
  }

  @Test
  void charge_takes_without_asking_and_says_what_became_of_each_limit() {
    assertThat(limiter.charge("k", 4).used()).isEqualTo(4);
    assertThat(limiter.charge(Key.of("k"), 4).limit()).isEqualTo(FIVE);
    Decision charged = join(limiter.chargeAsync("k", 1));
    assertThat(charged.limits()).extracting(Decision::used).containsExactly(9L, 9L);
    assertThat(charged.remaining()).isZero();
    assertThat(charged.charges()).isEmpty();
    assertThat(join(limiter.chargeAsync(Key.of("k"), 1)).used()).isEqualTo(10);
    assertThat(limiter.inc("k", 1)).isEqualTo(11);
  }

  @Test
  void charge_takes_of_several_places_at_once() {
    KeyedLimit one = FIVE.on("one").cost(3);
    KeyedLimit other = FIVE.on("other").cost(4);
    assertThat(limiter.charge(one, other).limits())
        .extracting(Decision::used)
        .containsExactly(3L, 4L);
    assertThat(join(limiter.chargeAsync(one, other)).used()).isEqualTo(6);
  }

  @Test
  void every_operation_takes_a_key_that_is_not_text() throws Exception {
    Key key = Key.of(42);
    assertThat(limiter.hit(key).used()).isEqualTo(1);
    assertThat(limiter.hit(key, 2).used()).isEqualTo(3);
    assertThat(limiter.peek(key).used()).isEqualTo(3);
    assertThat(limiter.peek(key, 3).allowed()).isFalse();
    assertThat(limiter.inc(key, 1)).isEqualTo(4);
    limiter.refund(key, 2);
    assertThat(limiter.get(key)).isEqualTo(2);
    limiter.set(key, 3);
    assertThat(limiter.expiresAt(key)).contains(time.now().plus(Duration.ofDays(1)));
    assertThat(limiter.acquire(key, Duration.ZERO).used()).isEqualTo(4);
    assertThat(limiter.acquire(key, 2, Duration.ZERO).allowed()).isFalse();
    limiter.reset(key);
    assertThat(limiter.get(key)).isZero();
    assertThat(limiter.get("42")).isZero();
  }

  @Test
  void so_does_its_future() {
    Key key = Key.of(new byte[] {1, 2});
    assertThat(join(limiter.hitAsync(key)).used()).isEqualTo(1);
    assertThat(join(limiter.hitAsync(key, 2)).used()).isEqualTo(3);
    assertThat(join(limiter.peekAsync(key)).used()).isEqualTo(3);
    assertThat(join(limiter.peekAsync(key, 3)).allowed()).isFalse();
    assertThat(join(limiter.incAsync(key, 1))).isEqualTo(4);
    join(limiter.refundAsync(key, 2));
    assertThat(join(limiter.getAsync(key))).isEqualTo(2);
    join(limiter.setAsync(key, 3));
    assertThat(join(limiter.expiresAtAsync(key))).contains(time.now().plus(Duration.ofDays(1)));
    assertThat(limiter.acquireAsync(key, Duration.ZERO).join().used()).isEqualTo(4);
    assertThat(limiter.acquireAsync(key, 2, Duration.ZERO).join().allowed()).isFalse();
    join(limiter.resetAsync(key));
    assertThat(limiter.get(key)).isZero();
  }
}
