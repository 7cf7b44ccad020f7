package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.lab.RedisCluster;
import dev.stint.lab.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A store says which server it has given up, and why, until that one is well again. */
@ExtendWith(QuietLettuce.class)
class TroubleTest {

  private static final Limit LIMIT = Limit.parse("1000000/day fixed-window-per-key");
  private static final Duration SOON = Duration.ofSeconds(15);

  @Test
  @Tag("redis")
  void a_server_is_in_trouble_from_its_death_to_its_return() {
    try (RedisServer server = RedisServer.start();
        RedisStore store = connect(server.uri())) {
      assertThat(store.trouble()).isEmpty();
      assertThat(store.leasing(10).trouble()).isEmpty();
      server.kill();
      awaitTrouble(store);
      assertThat(store.trouble().orElseThrow())
          .matches("127.0.0.1:" + server.port() + " cannot be asked: Redis.*");
      assertThat(store.leasing(10).trouble()).isPresent();
      assertThat(store.orElse(Store.denying()).trouble()).isPresent();
      server.restart();
      Eventually.within(SOON, "the end of trouble", () -> store.trouble().isEmpty());
    }
  }

  @Test
  @Tag("redis")
  void a_server_that_was_never_there_is_trouble_before_anybody_asks() {
    RedisServer gone = RedisServer.start();
    gone.close();
    try (RedisStore store = RedisStore.connect(gone.uri())) {
      assertThat(store.trouble().orElse("")).startsWith(gone + " cannot be asked: Redis ");
      Eventually.within(
          SOON,
          () -> "the reason, not " + store.trouble(),
          () -> store.trouble().orElse("").contains("Connection refused"));
    }
  }

  @Test
  @Tag("redis")
  void a_closed_store_cannot_be_asked() {
    RedisStore store = Servers.patient(Servers.redis().uri());
    store.close();
    assertThat(store.trouble()).hasValue("this store is closed");
  }

  @Test
  @Tag("sentinel")
  void sentinels_that_were_never_there_leave_their_master_in_trouble() {
    try (RedisServer gone = RedisServer.start()) {
      gone.kill();
      try (RedisStore store = RedisStore.connect("redis-sentinel://" + gone + "/0#mymaster")) {
        assertThat(store.trouble().orElse(""))
            .startsWith("the sentinels' master mymaster cannot be asked: Redis ");
      }
    }
  }

  @Test
  @Tag("cluster")
  void one_lost_master_of_a_cluster_is_named() {
    try (RedisCluster cluster =
            RedisCluster.start(settings -> settings.requireFullCoverage(false));
        RedisStore store = connect(cluster.uri())) {
      assertThat(store.trouble()).isEmpty();
      RedisServer lost = cluster.masters().get(0);
      cluster.replicaOf(lost).kill();
      lost.kill();
      awaitTrouble(store);
      assertThat(store.trouble().orElseThrow()).startsWith(lost + " cannot be asked: Redis");
      lost.restart();
      Eventually.within(SOON, "the end of trouble", () -> store.trouble().isEmpty());
    }
  }

  @Test
  @Tag("cluster")
  void a_cluster_that_was_never_there_is_trouble_before_anybody_asks() {
    try (RedisServer gone = RedisServer.start()) {
      gone.kill();
      try (RedisStore store = RedisStore.connect("redis-cluster://" + gone)) {
        assertThat(store.trouble().orElse(""))
            .matches("Redis cannot be reached: .*Connection refused.*");
      }
    }
  }

  private static RedisStore connect(String uri) {
    return Servers.patientBuilder(uri).deadline(Duration.ofSeconds(1)).build();
  }

  /** Asks for many keys, for it is the asking that shows it. */
  private static void awaitTrouble(RedisStore store) {
    RateLimiter limiter = RateLimiter.of(store, LIMIT);
    Eventually.within(
        SOON,
        "trouble",
        () -> {
          for (int i = 0; i < 20; i++) {
            limiter.hit("k" + i);
          }
          return store.trouble().isPresent();
        });
  }
}
