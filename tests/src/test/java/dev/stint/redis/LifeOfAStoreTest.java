package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.RedisServer;
import dev.stint.lab.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A store begins without Redis, is asked too much, and is closed while it is used. */
@Tag("redis")
@ExtendWith(QuietLettuce.class)
class LifeOfAStoreTest {

  private static final Limit LIMIT = Limit.parse("1000000/day fixed-window-per-key");
  private static final Duration SOON = Duration.ofSeconds(10);

  @Test
  void times_of_more_than_a_day_are_refused_before_anything_is_started() {
    RedisStore.Builder builder = RedisStore.builder("redis://localhost");
    assertThatThrownBy(() -> builder.deadline(Duration.ofDays(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("deadline must be at most a day: PT48H");
    assertThatThrownBy(() -> builder.connectTimeout(Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("connectTimeout must be at most a day: ");
  }

  @Test
  void redis_may_come_later() {
    RedisServer gone = RedisServer.start();
    int port = gone.port();
    gone.close();
    try (RedisStore store = RedisStore.connect(gone.uri())) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      for (int i = 0; i < 100; i++) {
        Decision decision = limiter.hit("k");
        assertThat(decision.degraded()).isTrue();
        assertThat(decision.allowed()).isTrue();
      }
      try (RedisServer server = RedisServer.start(settings -> settings.port(port))) {
        Eventually.within(SOON, "an exact decision", () -> !limiter.hit("k").degraded());
        server.ask("FLUSHALL");
        assertCounts(limiter, "exact");
      }
    }
  }

  @Test
  void redis_may_begin_frozen() {
    try (RedisServer server = RedisServer.start()) {
      server.stop();
      long start = System.nanoTime();
      try (RedisStore store =
          RedisStore.builder(server.uri()).connectTimeout(Duration.ofMillis(200)).build()) {
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(5));
        RateLimiter limiter = RateLimiter.of(store, LIMIT);
        assertThat(limiter.hit("k").degraded()).isTrue();
        server.cont();
        Eventually.within(SOON, "an exact decision", () -> !limiter.hit("k").degraded());
      }
    }
  }

  /** Counts to three, begun anew should the busy machine make an answer late. */
  private static void assertCounts(RateLimiter limiter, String key) {
    Eventually.within(
        SOON,
        "counting to three",
        () -> {
          limiter.peek(key);
          try {
            limiter.reset(key);
          } catch (RuntimeException late) {
            return false;
          }
          List<Decision> hits = List.of(limiter.hit(key), limiter.hit(key), limiter.hit(key));
          return hits.stream().noneMatch(Decision::degraded)
              && hits.stream().map(Decision::used).toList().equals(List.of(1L, 2L, 3L));
        });
  }

  @Test
  void whoever_is_too_many_in_flight_is_answered_at_once() {
    try (RedisServer server = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(server.port());
        RedisStore store = Servers.patientBuilder(proxy.uri()).maxInFlight(5).build()) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      assertThat(limiter.hit("k").degraded()).isFalse();
      proxy.pause(true);
      List<CompletableFuture<Decision>> hits = new ArrayList<>();
      // The place of an answer that has just arrived may still be taken for a moment.
      Eventually.within(
          SOON,
          "five in flight",
          () -> {
            CompletableFuture<Decision> hit = limiter.hitAsync("k").toCompletableFuture();
            if (!hit.isDone()) {
              hits.add(hit);
            }
            return hits.size() == 5;
          });
      for (int i = 0; i < 5; i++) {
        CompletableFuture<Decision> tooMany = limiter.hitAsync("k").toCompletableFuture();
        assertThat(tooMany).isDone();
        assertThat(tooMany.join().reason())
            .hasValue("at most 5 decisions may be in flight to Redis");
      }
      proxy.pause(false);
      assertThat(hits).allMatch(hit -> !hit.join().degraded());
      assertThat(limiter.hit("k").used()).isEqualTo(7);
    }
  }

  @Test
  void a_store_closed_under_load_answers_everybody() {
    try (RedisServer server = RedisServer.start()) {
      for (int round = 0; round < 5; round++) {
        RedisStore store = RedisStore.connect(server.uri());
        RateLimiter limiter = RateLimiter.of(store, LIMIT);
        Load blocking = Load.of(4, Duration.ofNanos(1), n -> limiter.hit("k" + n % 10));
        Load async =
            Load.of(
                4,
                Duration.ofNanos(1),
                n ->
                    limiter
                        .hitAsync("k" + n % 10)
                        .toCompletableFuture()
                        .orTimeout(5, TimeUnit.SECONDS)
                        .join());
        blocking.await(SOON, "an exact decision", one -> !one.degraded());
        async.await(SOON, "an exact decision", one -> !one.degraded());
        store.close();
        blocking.await(SOON, "a degraded decision", Load.Sample::degraded);
        async.await(SOON, "a degraded decision", Load.Sample::degraded);
        blocking.close();
        async.close();
        assertThat(blocking.thrown()).isEmpty();
        assertThat(async.thrown()).isEmpty();
      }
    }
  }

  @Test
  void a_store_closed_while_redis_is_silent_answers_everybody() {
    try (RedisServer server = RedisServer.start();
        RedisStore store = RedisStore.connect(server.uri())) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      Eventually.within(SOON, "an exact decision", () -> !limiter.hit("k").degraded());
      server.stop();
      List<CompletableFuture<Decision>> hits = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        hits.add(limiter.hitAsync("k").toCompletableFuture());
      }
      store.close();
      hits.add(limiter.hitAsync("k").toCompletableFuture());
      for (CompletableFuture<Decision> hit : hits) {
        assertThat(hit.orTimeout(5, TimeUnit.SECONDS).join().degraded()).isTrue();
      }
      assertThat(limiter.hit("k").degraded()).isTrue();
    }
  }

  @Test
  void closing_twice_is_no_error() {
    RedisStore store = RedisStore.connect(Servers.redis().uri());
    store.close();
    store.close();
    assertThat(RateLimiter.of(store, LIMIT).hit("k").degraded()).isTrue();
  }
}
