package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.Decision;
import dev.stint.lab.RedisCluster;
import dev.stint.lab.RedisServer;
import dev.stint.lab.Resp;
import dev.stint.lab.SentinelSet;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The settings under {@code spring.data.redis} say where is counted. */
class RedisSettingsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static RunningApp app(String... settings) {
    List<String> ours =
        List.of(
            "stint.store=redis",
            "stint.redis.deadline=5s",
            "stint.rules.api.limit=3/day",
            "stint.rules.api.match=/hello");
    String[] all = Stream.concat(ours.stream(), Arrays.stream(settings)).toArray(String[]::new);
    RunningApp app = RunningApp.servlet(HelloApp.class, all);
    // On a busy machine the first connection may come after the start.
    await().atMost(PATIENCE).until(() -> app.bean(Stores.class).trouble().isEmpty());
    return app;
  }

  private static String addresses(List<RedisServer> servers) {
    return servers.stream().map(RedisServer::toString).collect(Collectors.joining(","));
  }

  private static long keys(RedisServer server) {
    try (Resp resp = server.resp()) {
      return resp.number("DBSIZE");
    }
  }

  private static void assertIsCounted(RunningApp app) {
    assertThat(app.bean(Stores.class).trouble()).isEmpty();
    Decision next = app.bean(HttpLimiters.class).peek("api", "127.0.0.1");
    assertThat(next.degraded()).isFalse();
    assertThat(next.remaining()).isEqualTo(2);
  }

  @Test
  void two_applications_on_one_server_share_one_count() throws Exception {
    try (RedisServer redis = RedisServer.start(settings -> settings.password("hush"))) {
      String[] settings = {
        "spring.data.redis.host=127.0.0.1",
        "spring.data.redis.port=" + redis.port(),
        "spring.data.redis.password=hush"
      };
      try (RunningApp one = app(settings);
          RunningApp other = app(settings)) {
        assertThat(one.get("/hello").statusCode()).isEqualTo(200);
        assertThat(other.get("/hello").statusCode()).isEqualTo(200);
        assertThat(one.get("/hello").statusCode()).isEqualTo(200);
        assertThat(other.get("/hello").statusCode()).isEqualTo(429);
        assertThat(one.get("/hello").statusCode()).isEqualTo(429);
      }
    }
  }

  @Test
  void the_nodes_of_a_cluster_are_counted_on() throws Exception {
    try (RedisCluster cluster = RedisCluster.start();
        RunningApp app =
            app("spring.data.redis.cluster.nodes=" + addresses(cluster.nodes().subList(0, 2)))) {
      assertThat(app.get("/hello").statusCode()).isEqualTo(200);
      assertIsCounted(app);
      assertThat(cluster.masters()).anyMatch(master -> keys(master) > 0);
    }
  }

  @Test
  void the_master_that_sentinels_name_is_counted_on() throws Exception {
    try (SentinelSet set = SentinelSet.start();
        RunningApp app =
            app(
                "spring.data.redis.sentinel.master=" + SentinelSet.MASTER_ID,
                "spring.data.redis.sentinel.nodes=" + addresses(set.sentinels()))) {
      assertThat(app.get("/hello").statusCode()).isEqualTo(200);
      assertIsCounted(app);
      assertThat(keys(set.master())).isPositive();
    }
  }
}
