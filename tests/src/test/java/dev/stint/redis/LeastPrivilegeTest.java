package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.RedisServer;
import dev.stint.lab.Resp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands that a user of Redis must be allowed for Stint to work, and not one more. */
@Tag("redis")
@ExtendWith(QuietLettuce.class)
class LeastPrivilegeTest {

  /** What the documentation tells to allow. */
  static final List<String> COMMANDS =
      List.of(
          "+evalsha",
          "+eval",
          "+time",
          "+get",
          "+set",
          "+del",
          "+getrange",
          "+setrange",
          "+pexpire");

  private static final Duration DAY = Duration.ofDays(1);

  static final List<Limit> LIMITS =
      List.of(
          Limit.fixedWindow(8, DAY),
          Limit.fixedWindow(8, DAY).named("counting").countingDenied(),
          Limit.fixedWindowPerKey(8, DAY),
          Limit.slidingLog(8, DAY),
          Limit.slidingCounter(8, DAY),
          Limit.tokenBucket(8, DAY),
          Limit.tokenBucket(7, DAY).named("fractions"),
          Limit.leakyBucket(8, DAY),
          Limit.quota(8));

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void end() {
    server.close();
  }

  @Test
  void every_operation_of_every_algorithm_works() {
    allow(server, COMMANDS);
    try (RedisStore store = Servers.patient(as("limiter", server))) {
      doEverything(store);
    }
  }

  @Test
  void every_operation_works_where_nobody_else_is_let_in() {
    String user = "limiter on >secret ~stint:* " + String.join(" ", COMMANDS);
    try (RedisServer closed = RedisServer.start(settings -> settings.acl("default off").acl(user));
        RedisStore store = Servers.patient(as("limiter", closed))) {
      doEverything(store);
    }
  }

  static Stream<String> commands() {
    return COMMANDS.stream();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void something_fails_without(String command) {
    allow(server, without(COMMANDS, command));
    server.ask("SCRIPT", "FLUSH");
    assertIsRefused(as("limiter", server), "stint:");
  }

  /** Something does not work, because it is not allowed. */
  static void assertIsRefused(String uri, String prefix) {
    try (RedisStore store =
        RedisStore.builder(uri)
            .prefix(prefix)
            .deadline(Duration.ofSeconds(5))
            .connectTimeout(Duration.ofMillis(200))
            .build()) {
      RateLimiter limiter = RateLimiter.of(store, LIMITS.get(0));
      Eventually.within(
          Duration.ofSeconds(10),
          "the first probe",
          () -> !limiter.peek("k").reason().orElse("").contains("not connected yet"));
      assertThatThrownBy(() -> doEverything(store))
          .hasMessageMatching("(?s).*(NOPERM|can't run this command).*");
    }
  }

  @Test
  void a_key_outside_the_prefix_is_refused_by_the_server() {
    allow(server, COMMANDS);
    assertIsRefused(as("limiter", server), "other:");
    try (Resp resp = Resp.connect(server.port())) {
      resp.text("AUTH", "limiter", "secret");
      assertThatThrownBy(() -> resp.call("GET", "other:k")).hasMessageContaining("NOPERM");
      assertThatThrownBy(() -> resp.call("FLUSHALL")).hasMessageContaining("NOPERM");
      assertThatThrownBy(() -> resp.call("EVAL", "return redis.call('GET', 'other:k')", "0"))
          .hasMessageMatching("(?s).*(NOPERM|ACL|can't access).*");
    }
  }

  static void allow(RedisServer node, List<String> commands) {
    List<String> words =
        new ArrayList<>(List.of("ACL", "SETUSER", "limiter", "reset", "on", ">secret", "~stint:*"));
    words.addAll(commands);
    node.ask(words.toArray(String[]::new));
  }

  private static List<String> without(List<String> commands, String one) {
    return commands.stream().filter(command -> !command.equals(one)).toList();
  }

  private static String as(String user, RedisServer node) {
    return "redis://" + user + ":secret@127.0.0.1:" + node.port();
  }

  static void doEverything(RedisStore store) {
    RateLimiter limiter = RateLimiter.of(store);
    for (Limit limit : LIMITS) {
      for (int i = 0; i < 10; i++) {
        Decision hit = limiter.hit(limit.on("k"));
        assertThat(hit.degraded()).as("%s of %s", hit.reason(), limit).isFalse();
      }
      Decision peek = limiter.peek(limit.on("k"));
      assertThat(peek.degraded()).as("%s of %s", peek.reason(), limit).isFalse();
      limiter.refund(limit.on("k").cost(4));
      limiter.refund(limiter.hit(limit.on("k")));
      limiter.inc(limit.on("k"));
      limiter.set(limit.on("k"), 3);
      assertThat(limiter.get(limit.on("k"))).isEqualTo(3);
      assertThat(limiter.expiresAt(limit.on("k"))).isPresent();
      limiter.reset(limit.on("k"));
      assertThat(limiter.get(limit.on("k"))).isZero();
    }
    Decision joint =
        limiter.hit(LIMITS.get(0).on("k"), LIMITS.get(3).on("other"), LIMITS.get(5).on("third"));
    assertThat(joint.degraded()).as("%s", joint.reason()).isFalse();
    limiter.reset(LIMITS.get(0).on("k"), LIMITS.get(3).on("other"), LIMITS.get(5).on("third"));
  }
}
