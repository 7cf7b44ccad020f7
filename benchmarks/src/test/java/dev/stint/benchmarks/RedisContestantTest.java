package dev.stint.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.lab.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On a real server. */
class RedisContestantTest {

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  void whoever_has_room_admits(RedisContestant contestant) {
    server.ask("FLUSHALL");
    try (RedisSubject subject = contestant.open(server.uri(), Answers.ADMITTED)) {
      subject.insert("user:0001").toCompletableFuture().join();
      assertThat(subject.hit("user:0001")).isTrue();
      assertThat(subject.hitAsync("user:0001").toCompletableFuture().join()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoever_is_exhausted_refuses(RedisContestant contestant) {
    server.ask("FLUSHALL");
    try (RedisSubject subject = contestant.open(server.uri(), Answers.REFUSED)) {
      subject.exhaust("user:0001").toCompletableFuture().join();
      assertThat(subject.hit("user:0001")).isFalse();
      assertThat(subject.hitAsync("user:0001").toCompletableFuture().join()).isFalse();
    }
  }

  @Test
  void a_server_that_holds_something_is_left_alone() {
    server.ask("SET", "precious", "1");
    assertThatThrownBy(() -> RedisUnderTest.at(server.uri()))
        .hasMessageContaining("the Redis must be empty, because the benchmarks empty it: it has ");
    assertThat(server.ask("GET", "precious")).isEqualTo("1");
  }

  @Test
  void a_degraded_decision_is_no_answer() {
    String nowhere = "redis://127.0.0.1:1";
    try (RedisSubject subject = new StintInRedis(nowhere, Rate.perDay(10), false)) {
      assertThatThrownBy(() -> subject.hit("user:0001"))
          .hasMessageStartingWith("no decision may be degraded");
    }
  }
}
