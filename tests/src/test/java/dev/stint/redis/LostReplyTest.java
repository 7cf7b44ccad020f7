package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.RedisServer;
import dev.stint.lab.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A hit whose reply is lost may have been charged; it is never charged twice. */
@Tag("redis")
@ExtendWith(QuietLettuce.class)
class LostReplyTest {

  private static final Limit LIMIT = Limit.parse("1000000/day fixed-window-per-key");
  private static final Duration SOON = Duration.ofSeconds(10);

  @Test
  void what_is_counted_is_what_was_run() {
    try (RedisServer server = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(server.port());
        RedisStore store = RedisStore.builder(proxy.uri()).deadline(Duration.ofMillis(50)).build();
        RedisStore direct = Servers.patient(server.uri())) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      Eventually.within(SOON, "an exact decision", () -> !limiter.hit("before").degraded());
      Monitor monitor = Monitor.of(server);
      int hits = 0;
      int lost = 0;
      for (int round = 0; round < 40; round++) {
        if (round % 2 == 0) {
          proxy.swallowReplies(true);
        } else {
          proxy.cutAfterReplyBytes(round / 2 % 5);
        }
        assertThat(limiter.hit("k").degraded()).isTrue();
        hits++;
        lost++;
        proxy.reset();
        proxy.swallowReplies(false);
        do {
          Eventually.pass(Duration.ofMillis(5));
          hits++;
        } while (limiter.hit("k").degraded());
      }
      long run = monitor.runsOn("/k");
      long counted = RateLimiter.of(direct, LIMIT).get("k");
      System.out.printf("%d hits, %d replies lost, %d run, %d counted%n", hits, lost, run, counted);
      assertThat(counted).isEqualTo(run).isBetween(2L * lost, (long) hits);
    }
  }

  @Test
  void no_hit_is_charged_twice_whatever_happens_to_the_connection() {
    try (RedisServer server = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(server.port());
        RedisStore store = RedisStore.connect(proxy.uri());
        RedisStore direct = Servers.patientBuilder(server.uri()).maxInFlight(1_000_000).build()) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      Load load = Load.of(4, Duration.ofMillis(1), n -> limiter.hit("k" + n));
      Random random = new Random(1);
      for (int i = 0; i < 24; i++) {
        load.await(SOON, "an exact decision", one -> !one.degraded());
        switch (i % 4) {
          case 0 -> proxy.cutAfterRequestBytes(random.nextInt(2000));
          case 1 -> proxy.cutAfterReplyBytes(random.nextInt(500));
          case 2 -> proxy.reset();
          default -> {
            proxy.swallowReplies(true);
            load.await(SOON, "a degraded decision", Load.Sample::degraded);
            proxy.reset();
            proxy.swallowReplies(false);
          }
        }
        load.await(SOON, "a degraded decision", Load.Sample::degraded);
      }
      load.close();
      assertThat(load.thrown()).isEmpty();

      RateLimiter truth = RateLimiter.of(direct, LIMIT);
      Map<Long, CompletableFuture<Long>> counts = new HashMap<>();
      List<Load.Sample> samples = load.samples();
      samples.forEach(
          one ->
              counts.put(one.number(), truth.getAsync("k" + one.number()).toCompletableFuture()));
      List<Long> charged = new ArrayList<>();
      for (Load.Sample one : samples) {
        long count = counts.get(one.number()).join();
        assertThat(count).isBetween(one.degraded() ? 0L : 1L, 1L);
        if (one.degraded() && count == 1) {
          charged.add(one.number());
        }
      }
      System.out.printf(
          "%d hits, %d without an answer, of which %d were charged, none twice%n",
          samples.size(), samples.stream().filter(Load.Sample::degraded).count(), charged.size());
      assertThat(charged).as("replies lost after the charge").isNotEmpty();
    }
  }

  @Test
  void nothing_is_sent_again_when_the_connection_is_back() {
    try (RedisServer server = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(server.port());
        RedisStore store = Servers.patient(proxy.uri());
        RedisStore direct = Servers.patient(server.uri())) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      assertThat(limiter.hit("k").degraded()).isFalse();
      proxy.swallowReplies(true);
      List<CompletableFuture<Decision>> hits = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        hits.add(limiter.hitAsync("k").toCompletableFuture());
      }
      RateLimiter truth = RateLimiter.of(direct, LIMIT);
      Eventually.within(SOON, "the arrival of the first", () -> truth.get("k") > 1);
      proxy.reset();
      proxy.swallowReplies(false);
      long exact = hits.stream().filter(hit -> !hit.join().degraded()).count();
      Eventually.within(SOON, "an exact decision", () -> !limiter.peek("k").degraded());
      long lost = hits.size() - exact;
      assertThat(truth.get("k")).isBetween(1 + exact, 1 + exact + lost);
      assertThat(lost).isPositive();
    }
  }
}
