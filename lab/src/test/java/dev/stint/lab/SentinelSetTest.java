package dev.stint.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SentinelSetTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @Test
  void fails_over_when_asked() {
    try (SentinelSet set = SentinelSet.start()) {
      RedisServer old = set.master();
      assertThat(set.uri())
          .matches("redis-sentinel://(127\\.0\\.0\\.1:\\d+,){2}127\\.0\\.0\\.1:\\d+/0#stint");
      assertThatThrownBy(() -> set.other().ask("SET", "key", "x"))
          .hasMessageStartingWith("READONLY");

      RedisServer next = set.failover();

      assertThat(next).isNotSameAs(old).isSameAs(set.master());
      assertThat(set.other()).isSameAs(old);
      assertThat(next.ask("SET", "key", "x")).isEqualTo("OK");
    }
  }

  @Test
  void replaces_a_killed_master() {
    try (SentinelSet set = SentinelSet.start()) {
      RedisServer killed = set.killMaster();
      RedisServer next = set.awaitFailoverFrom(killed, LIMIT);

      assertThat(killed.isAlive()).isFalse();
      assertThat(set.master()).isSameAs(next);
      assertThat(next.ask("SET", "key", "x")).isEqualTo("OK");
    }
  }

  @Test
  @Tag("nightly")
  void takes_a_killed_master_back_as_a_replica() {
    try (SentinelSet set = SentinelSet.start()) {
      RedisServer killed = set.killMaster();
      RedisServer next = set.awaitFailoverFrom(killed, LIMIT);
      next.ask("SET", "key", "x");
      killed.restart();
      set.awaitHealthy(LIMIT);

      assertThat(set.master()).isSameAs(next);
      assertThat(killed.ask("GET", "key")).isEqualTo("x");
    }
  }
}
