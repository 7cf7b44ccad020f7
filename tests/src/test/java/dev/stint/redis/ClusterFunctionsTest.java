package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.RedisCluster;
import dev.stint.lab.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A library is loaded into each master of a cluster, whenever one turns out not to have it. */
@Tag("cluster")
@ExtendWith(QuietLettuce.class)
class ClusterFunctionsTest {

  private static final Limit LIMIT = Limit.fixedWindowPerKey(1_000_000, Duration.ofDays(1));
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int KEYS = 60;

  @Test
  void every_master_has_the_library_after_flushes_and_failovers() {
    try (RedisCluster cluster = RedisCluster.start();
        RedisStore store = FunctionsTest.store(cluster.uri())) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      awaitFunctions(cluster, limiter);

      for (RedisServer master : cluster.masters()) {
        master.ask("FUNCTION", "FLUSH");
        Map<String, Long> before = counts(limiter);
        hitAll(limiter);
        counts(limiter).forEach((key, count) -> assertThat(count).isEqualTo(before.get(key) + 1));
        awaitFunctions(cluster, limiter);
      }

      RedisServer successor = cluster.failover(cluster.masters().get(0));
      awaitFunctions(cluster, limiter);
      assertThat(cluster.masters()).contains(successor);
      successor.ask("FUNCTION", "FLUSH");
      awaitFunctions(cluster, limiter);
      for (RedisServer master : cluster.masters()) {
        assertThat(FunctionsTest.libraries(master)).containsExactly(new Scripts().library().name());
      }
    }
  }

  @Test
  void a_cluster_needs_two_commands_more_for_functions() {
    try (RedisCluster cluster = RedisCluster.start()) {
      List<String> all = new ArrayList<>(LeastPrivilegeTest.COMMANDS);
      all.addAll(List.of("+cluster|nodes", "+fcall", "+function|load"));
      cluster.nodes().forEach(node -> LeastPrivilegeTest.allow(node, all));
      String uri = cluster.uri().replace("://", "://limiter:secret@");
      try (RedisStore store = FunctionsTest.store(uri)) {
        LeastPrivilegeTest.doEverything(store);
        awaitFunctions(cluster, RateLimiter.of(store, LIMIT));
        LeastPrivilegeTest.doEverything(store);
      }
    }
  }

  /** Returns when hits all over the cluster are exact and go by function on each master. */
  private static void awaitFunctions(RedisCluster cluster, RateLimiter limiter) {
    Eventually.within(
        SOON,
        "calls by function on each master",
        () -> {
          Map<RedisServer, ServerCalls> before = new HashMap<>();
          cluster.masters().forEach(master -> before.put(master, ServerCalls.of(master)));
          for (int i = 0; i < KEYS; i++) {
            if (limiter.hit("await" + i).degraded()) {
              return false;
            }
          }
          return before.entrySet().stream()
              .map(entry -> ServerCalls.of(entry.getKey()).since(entry.getValue()))
              .allMatch(calls -> calls.functions() > 0 && calls.scripts() == 0);
        });
  }

  private static void hitAll(RateLimiter limiter) {
    for (int i = 0; i < KEYS; i++) {
      Decision hit = limiter.hit("k" + i);
      assertThat(hit.degraded()).as("%s", hit.reason()).isFalse();
    }
  }

  private static Map<String, Long> counts(RateLimiter limiter) {
    Map<String, Long> counts = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      counts.put("k" + i, limiter.get("k" + i));
    }
    return counts;
  }
}
