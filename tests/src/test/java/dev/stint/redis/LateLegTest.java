package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.RedisCluster;
import dev.stint.lab.RedisServer;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A call over several slots of a cluster, one of whose servers freezes for a while. */
@Tag("cluster")
@ExtendWith(QuietLettuce.class)
class LateLegTest {

  private static final Limit LIMIT = Limit.fixedWindowPerKey(5, Duration.ofDays(1));
  private static final Limit ONE = Limit.fixedWindowPerKey(1, Duration.ofDays(1)).named("one");
  private static final PlaceNames NAMES = new PlaceNames("stint:");
  private static final Duration SOON = Duration.ofSeconds(15);

  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        RedisCluster.start(
            settings -> settings.requireFullCoverage(false).nodeTimeout(Duration.ofSeconds(30)));
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static byte[] place(String key) {
    return NAMES.of(LIMIT.on(key), Terms.of(LIMIT).name());
  }

  private static RedisServer server(String key) {
    return cluster.masterOf(new String(place(key), StandardCharsets.UTF_8));
  }

  /** Two keys on two servers, the one in the lower slot first. */
  private static String[] twoKeys(String name) {
    String first = name + "-0";
    for (int i = 1; ; i++) {
      String other = name + "-" + i;
      if (server(other).port() != server(first).port()) {
        boolean inOrder = SlotHash.getSlot(place(first)) < SlotHash.getSlot(place(other));
        return inOrder ? new String[] {first, other} : new String[] {other, first};
      }
    }
  }

  private static void await(RateLimiter limiter, String... keys) {
    for (String key : keys) {
      Eventually.within(SOON, "an exact decision", () -> !limiter.peek(LIMIT.on(key)).degraded());
    }
  }

  private static long count(String key) {
    try (RedisStore direct = Servers.patient(cluster.uri())) {
      return RateLimiter.of(direct).get(LIMIT.on(key));
    }
  }

  @Test
  void that_answers_after_the_deadline_charges_nothing() {
    for (int frozen = 0; frozen < 2; frozen++) {
      String[] keys = twoKeys("late" + frozen);
      RedisServer server = server(keys[frozen]);
      try (RedisStore store =
          RedisStore.builder(cluster.uri()).deadline(Duration.ofMillis(200)).build()) {
        RateLimiter limiter = RateLimiter.of(store);
        await(limiter, keys);
        limiter.hit(LIMIT.on(keys[0]), LIMIT.on(keys[1])); // the scripts are known from here on
        assertThat(count(keys[0])).isEqualTo(1);
        server.stop();
        try {
          Decision hit = limiter.hit(LIMIT.on(keys[0]), LIMIT.on(keys[1]));
          assertThat(hit.degraded()).isTrue();
          Eventually.pass(Duration.ofMillis(400)); // late by any measure
        } finally {
          server.cont();
        }
        await(limiter, keys);
        Eventually.within(
            SOON,
            "the end of the charge on " + keys[frozen],
            () -> count(keys[0]) == 1 && count(keys[1]) == 1);
      }
    }
  }

  @Test
  void whose_refusal_is_late_forgets_it_when_the_key_is_reset_meanwhile() {
    String[] keys = twoKeys("forget");
    RedisServer server = server(keys[0]);
    try (RedisStore store =
        Servers.patientBuilder(cluster.uri()).rememberRefusals(Duration.ofMillis(100)).build()) {
      RateLimiter limiter = RateLimiter.of(store);
      for (int i = 0; i < 20; i++) {
        limiter.reset(LIMIT.on(keys[0]), LIMIT.on(keys[1]));
        limiter.hit(LIMIT.on(keys[0]).cost(5));
        server.stop();
        CompletableFuture<Decision> refused =
            limiter.hitAsync(LIMIT.on(keys[0])).toCompletableFuture();
        CompletableFuture<Void> reset =
            limiter.resetAsync(LIMIT.on(keys[0]), LIMIT.on(keys[1])).toCompletableFuture();
        server.cont();
        assertThat(refused.orTimeout(20, TimeUnit.SECONDS).join().allowed()).isFalse();
        reset.orTimeout(20, TimeUnit.SECONDS).join();
        assertThat(limiter.hit(LIMIT.on(keys[0])).allowed()).isTrue();
      }
    }
  }

  @Test
  void that_refuses_has_others_refusals_forgotten_with_the_charge_that_caused_them() {
    String[] keys = twoKeys("undone");
    RedisServer second = server(keys[1]);
    try (RedisStore store =
        Servers.patientBuilder(cluster.uri()).rememberRefusals(Duration.ofMillis(100)).build()) {
      RateLimiter limiter = RateLimiter.of(store);
      for (int i = 0; i < 20; i++) {
        limiter.reset(ONE.on(keys[0]));
        limiter.hit(ONE.on(keys[1]));
        second.stop();
        CompletableFuture<Decision> joint =
            limiter.hitAsync(ONE.on(keys[0]), ONE.on(keys[1])).toCompletableFuture();
        Eventually.within(SOON, "the first charge", () -> !limiter.hit(ONE.on(keys[0])).allowed());
        second.cont();
        assertThat(joint.orTimeout(20, TimeUnit.SECONDS).join().allowed()).isFalse();
        assertThat(limiter.hit(ONE.on(keys[0])).allowed()).isTrue();
      }
    }
  }
}
