package dev.stint.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisClusterTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start(settings -> settings.nodeTimeout(Duration.ofMillis(800)));
  }

  @AfterAll
  static void close() {
    cluster.close();
  }

  @Test
  void has_three_masters_with_a_replica_each() {
    assertThat(cluster.nodes()).hasSize(6);
    assertThat(cluster.masters()).hasSize(3);
    assertThat(cluster.masters().stream().map(cluster::replicaOf))
        .hasSize(3)
        .doesNotHaveDuplicates()
        .doesNotContainAnyElementsOf(cluster.masters());
  }

  @Test
  void names_all_nodes_in_its_uri() {
    assertThat(cluster.uri())
        .matches("redis-cluster://(127\\.0\\.0\\.1:\\d+,){5}127\\.0\\.0\\.1:\\d+");
  }

  @Test
  void knows_the_master_of_a_key() {
    for (String key : new String[] {"a", "b", "c", "{a}d"}) {
      assertThat(cluster.masterOf(key).ask("SET", key, "x")).isEqualTo("OK");
    }
    assertThat(cluster.masterOf("a")).isNotSameAs(cluster.masterOf("b"));
    assertThatThrownBy(() -> cluster.masterOf("b").ask("GET", "a")).hasMessageStartingWith("MOVED");
  }

  @Test
  void fails_over_without_loss() {
    RedisServer old = cluster.masterOf("kept");
    old.ask("SET", "kept", "value");
    RedisServer next = cluster.failover(old);

    assertThat(cluster.masterOf("kept")).isSameAs(next).isNotSameAs(old);
    assertThat(cluster.replicaOf(next)).isSameAs(old);
    assertThat(next.ask("GET", "kept")).isEqualTo("value");
  }

  @Test
  void replaces_a_killed_master_and_takes_it_back() {
    RedisServer killed = cluster.masterOf("key");
    killed.kill();
    cluster.awaitHealthy(LIMIT);
    RedisServer next = cluster.masterOf("key");
    assertThat(next).isNotSameAs(killed);

    killed.restart();
    Await.until("the return", LIMIT, () -> cluster.replicaOf(next) == killed);
    cluster.awaitHealthy(LIMIT);
    assertThat(cluster.masters()).hasSize(3);
  }
}
