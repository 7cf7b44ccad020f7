package dev.stint.redis;

import dev.stint.RateLimiter;
import dev.stint.lab.RedisCluster;
import dev.stint.lab.RedisServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cluster that refuses to serve a part of its slots fails like a single server does. */
@Tag("cluster")
@ExtendWith(QuietLettuce.class)
class ClusterDownTest {

  @Test
  void a_cluster_without_one_of_its_masters() {
    try (RedisCluster cluster = RedisCluster.start();
        RedisStore store = FailMatrixTest.unhurried(cluster.uri())) {
      RedisServer lost = cluster.masters().get(0);
      cluster.replicaOf(lost).kill();
      lost.kill();
      RateLimiter limiter = RateLimiter.of(store, FailMatrixTest.LIMIT);
      Eventually.within(
          Duration.ofSeconds(10),
          "the refusal of all slots",
          () -> {
            boolean all = true;
            for (int i = 0; i < 20; i++) {
              all &= limiter.hit("k" + i).degraded();
            }
            return all;
          });
      // While a server is left alone, its keys have another reason, until a probe is answered.
      AtomicReference<String> key = new AtomicReference<>("");
      Eventually.within(
          Duration.ofSeconds(10),
          "a refusal of the cluster",
          () -> {
            for (int i = 0; i < 100 && key.get().isEmpty(); i++) {
              String candidate = "k" + i;
              if (limiter.hit(candidate).reason().orElse("").contains("CLUSTERDOWN")) {
                key.set(candidate);
              }
            }
            return !key.get().isEmpty();
          });
      FailMatrixTest.assertFails(store, key.get(), "Redis: CLUSTERDOWN .*");
    }
  }

  @Test
  void a_cluster_may_come_later() {
    try (RedisCluster cluster = RedisCluster.start()) {
      cluster.nodes().forEach(RedisServer::kill);
      try (RedisStore store = RedisStore.connect(cluster.uri())) {
        FailMatrixTest.assertFails(store, "k", "Redis cannot be reached: .*");
        cluster.nodes().forEach(RedisServer::restart);
        cluster.awaitHealthy(Duration.ofSeconds(20));
        RateLimiter limiter = RateLimiter.of(store, FailMatrixTest.LIMIT);
        for (int i = 0; i < 20; i++) {
          String key = "k" + i;
          Eventually.within(
              Duration.ofSeconds(10), "an exact decision", () -> !limiter.hit(key).degraded());
        }
      }
    }
  }
}
