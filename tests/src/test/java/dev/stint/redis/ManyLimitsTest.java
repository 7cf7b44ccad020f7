package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.testkit.ManualTime;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A call with very many limits. */
@Tag("redis")
class ManyLimitsTest {

  private static KeyedLimit[] limits(int count) {
    Limit limit = Limit.parse("5/minute");
    String key = UUID.randomUUID().toString();
    return IntStream.range(0, count).mapToObj(i -> limit.on(key + i)).toArray(KeyedLimit[]::new);
  }

  @Test
  void a_thousand_limits_are_one_call_and_more_are_refused_with_a_reason() {
    try (RedisStore store = Servers.patient(Servers.redis().uri(), ManualTime.create())) {
      RateLimiter limiter = RateLimiter.of(store);
      Decision thousand = limiter.hit(limits(1000));
      assertThat(thousand.degraded()).isFalse();
      assertThat(thousand.limits()).hasSize(1000).allMatch(one -> one.remaining() == 4);
      String reason = "one call to Redis may have at most 1000 limits: 70000; make it several";
      assertThat(limiter.hit(limits(70_000)).reason()).contains(reason);
      assertThat(limiter.hitAsync(limits(70_000)).toCompletableFuture().join().reason())
          .contains(reason);
    }
  }
}
