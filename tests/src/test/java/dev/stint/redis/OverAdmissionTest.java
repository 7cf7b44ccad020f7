package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.lab.RedisServer;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** When Redis forgets, each key gets one capacity more for each time, and nothing beyond that. */
@Tag("redis")
@ExtendWith(QuietLettuce.class)
class OverAdmissionTest {

  private static final int CAPACITY = 20;
  private static final int KEYS = 10;
  private static final Limit LIMIT = Limit.fixedWindowPerKey(CAPACITY, Duration.ofDays(1));
  private static final Duration SOON = Duration.ofSeconds(10);

  @Test
  void everything_flushed_under_load() {
    assertAdmits(3, 3, settings -> {}, server -> server.ask("FLUSHALL"));
  }

  @Test
  void a_server_without_a_log_killed_under_load() {
    assertAdmits(2, 2, settings -> {}, RedisServer::restart);
  }

  @Test
  void a_server_with_a_log_killed_under_load_forgets_nothing() {
    assertAdmits(2, 0, RedisServer.Settings::appendOnly, RedisServer::restart);
  }

  private static void assertAdmits(
      int times,
      int forgotten,
      Consumer<RedisServer.Settings> settings,
      Consumer<RedisServer> hurt) {
    try (RedisServer server = RedisServer.start(settings);
        RedisStore store = RedisStore.connect(server.uri())) {
      RateLimiter limiter = RateLimiter.of(store.orElse(Store.denying()), LIMIT);
      Load load = Load.of(4, Duration.ofMillis(1), n -> limiter.hit("k" + n % KEYS));
      for (int i = 0; i <= times; i++) {
        if (i > 0) {
          hurt.accept(server);
        }
        for (int key = 0; key < KEYS; key++) {
          int k = key;
          load.await(
              SOON,
              "the refusal of k" + k,
              one -> one.number() % KEYS == k && !one.degraded() && !one.allowed());
        }
      }
      load.close();
      assertThat(load.thrown()).isEmpty();
      Map<Long, Long> admitted =
          load.samples().stream()
              .filter(Load.Sample::allowed)
              .collect(Collectors.groupingBy(one -> one.number() % KEYS, Collectors.counting()));
      long lost = load.samples().stream().filter(Load.Sample::degraded).count();
      System.out.printf(
          "capacity %d, %d times forgotten: admitted %s; %d answered without Redis%n",
          CAPACITY, forgotten, admitted.values(), lost);
      assertThat(admitted).hasSize(KEYS);
      assertThat(admitted.values())
          .allSatisfy(
              count -> assertThat(count).isLessThanOrEqualTo((long) CAPACITY * (1 + forgotten)));
      // A hit that was charged and whose answer was lost is the only thing that may be missing.
      assertThat(admitted.values().stream().mapToLong(Long::longValue).sum())
          .isGreaterThanOrEqualTo((long) KEYS * CAPACITY * (1 + forgotten) - lost);
    }
  }
}
