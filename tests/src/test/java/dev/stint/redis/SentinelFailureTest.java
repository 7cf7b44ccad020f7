package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.lab.RedisServer;
import dev.stint.lab.SentinelSet;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A master that dies is followed by its replica, and the store follows the sentinels. */
@Tag("sentinel")
@ExtendWith(QuietLettuce.class)
class SentinelFailureTest {

  private static final int CAPACITY = 20;
  private static final int KEYS = 5;
  private static final Limit LIMIT = Limit.fixedWindowPerKey(CAPACITY, Duration.ofDays(1));
  private static final Duration SOON = Duration.ofSeconds(20);

  @Test
  void a_master_killed_under_load() {
    try (SentinelSet set = SentinelSet.start();
        RedisStore store = RedisStore.connect(set.uri())) {
      RateLimiter limiter = RateLimiter.of(store.orElse(Store.denying()), LIMIT);
      Load load = Load.of(4, Duration.ofMillis(1), n -> limiter.hit("k" + n % KEYS));
      awaitRefusals(load);
      RedisServer old = set.killMaster();
      load.await(SOON, "a degraded decision", Load.Sample::degraded);
      set.awaitFailoverFrom(old, SOON);
      long start = System.nanoTime();
      awaitRefusals(load);
      long recovery = System.nanoTime() - start;
      load.close();
      assertThat(load.thrown()).isEmpty();
      assertThat(load.samples())
          .allMatch(one -> one.degraded() == one.decision().reason().isPresent());
      Map<Long, Long> admitted =
          load.samples().stream()
              .filter(Load.Sample::allowed)
              .collect(Collectors.groupingBy(one -> one.number() % KEYS, Collectors.counting()));
      System.out.printf(
          "sentinels: exact %d ms after the failover; admitted %s of %d%n",
          recovery / 1_000_000, admitted.values(), CAPACITY);
      assertThat(admitted.values())
          .allSatisfy(count -> assertThat(count).isLessThanOrEqualTo(2L * CAPACITY));
      assertThat(Duration.ofNanos(recovery)).isLessThan(Duration.ofSeconds(6));
    }
  }

  /** Waits until every key is refused by Redis itself. */
  private static void awaitRefusals(Load load) {
    for (int key = 0; key < KEYS; key++) {
      int k = key;
      load.await(
          SOON,
          "the refusal of k" + k,
          one -> one.number() % KEYS == k && !one.degraded() && !one.allowed());
    }
  }
}
