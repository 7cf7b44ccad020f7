package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.Resp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Leases of buckets in a real Redis, by its own clock. */
@Tag("redis")
class LeasingOnRedisTest {

  /** A chunk of a hundred lives for six minutes: no machine is too slow for that. */
  private static final Limit LIMIT = Limit.tokenBucket(1_000_000, Duration.ofDays(41));

  private static final Pattern CALLS =
      Pattern.compile("cmdstat_(?:fcall|evalsha|eval):calls=(\\d+)");

  private final String key = UUID.randomUUID().toString();
  private final RedisStore redis = connect();
  private final RateLimiter plain = RateLimiter.of(redis, LIMIT);
  private final RateLimiter limiter = RateLimiter.of(redis.leasing(100), LIMIT);

  private static RedisStore connect() {
    return RedisStore.builder(Servers.redis().uri()).deadline(Duration.ofSeconds(20)).build();
  }

  @AfterEach
  void close() {
    redis.close();
  }

  /** How many scripts the server has run. */
  private static long scripts() {
    try (Resp resp = Servers.redis().resp()) {
      Matcher matcher = CALLS.matcher(resp.text("INFO", "commandstats"));
      long sum = 0;
      while (matcher.find()) {
        sum += Long.parseLong(matcher.group(1));
      }
      return sum;
    }
  }

  @Test
  void ten_thousand_hits_of_sixty_four_threads_are_a_hundred_scripts() throws Exception {
    limiter.hit(key);
    long before = scripts();
    AtomicInteger rest = new AtomicInteger(10_000);
    ExecutorService threads = Executors.newFixedThreadPool(64);
    List<Future<?>> ends = new ArrayList<>();
    try {
      for (int i = 0; i < 64; i++) {
        ends.add(
            threads.submit(
                () -> {
                  while (rest.getAndDecrement() > 0) {
                    assertThat(limiter.hit(key).degraded()).isFalse();
                  }
                }));
      }
      for (Future<?> end : ends) {
        end.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(scripts() - before).isBetween(100L, 105L);
    assertThat(plain.get(key)).isEqualTo(10_001);
  }

  @Test
  void futures_share_a_chunk_and_say_what_redis_would() {
    plain.inc(key, 500);
    limiter.hit(key);
    long before = scripts();
    List<Long> used = new ArrayList<>();
    List<CompletableFuture<Void>> hits = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      hits.add(
          limiter
              .hitAsync(key)
              .thenAccept(
                  decision -> {
                    synchronized (used) {
                      used.add(decision.used());
                    }
                  })
              .toCompletableFuture());
    }
    CompletableFuture.allOf(hits.toArray(CompletableFuture<?>[]::new)).join();
    assertThat(scripts() - before).isEqualTo(1);
    List<Long> expected = new ArrayList<>();
    for (long n = 502; n <= 601; n++) {
      expected.add(n);
    }
    assertThat(used).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void a_hit_from_a_lease_is_refunded_in_redis() {
    limiter.hit(key);
    limiter.hit(key);
    limiter.refund(limiter.hit(key, 5));
    assertThat(plain.get(key)).isEqualTo(101 - 5);
  }

  @Test
  void closing_the_store_gives_all_leases_back() {
    RedisStore other = connect();
    RateLimiter leased = RateLimiter.of(other.leasing(50), LIMIT);
    leased.hit(key);
    leased.hit(key);
    assertThat(plain.get(key)).isEqualTo(51);
    other.close();
    assertThat(plain.get(key)).isEqualTo(2);
  }

  @Test
  void a_leasing_store_closes_the_store_beneath_it_and_both_may_be_closed() {
    RedisStore other = connect();
    try (other;
        var leased = other.leasing(50)) {
      RateLimiter.of(leased, LIMIT).hit(key);
    }
    assertThat(RateLimiter.of(other, LIMIT).hit(key).degraded()).isTrue();
  }

  @Test
  void the_same_chunk_is_the_same_store() {
    assertThat(redis.leasing(7)).isSameAs(redis.leasing(7)).isNotSameAs(redis.leasing(8));
  }
}
