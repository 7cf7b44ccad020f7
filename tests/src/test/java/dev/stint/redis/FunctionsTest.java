package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.RedisServer;
import dev.stint.lab.Resp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server is called by function where it can be, and by script everywhere else. */
@Tag("redis")
@ExtendWith(QuietLettuce.class)
class FunctionsTest {

  private static final Duration DAY = Duration.ofDays(1);
  private static final Limit LIMIT = Limit.fixedWindowPerKey(1_000_000, DAY);
  private static final Duration SOON = Duration.ofSeconds(15);
  private static final int HITS = 20;

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void end() {
    server.close();
  }

  @BeforeEach
  void empty() {
    server.ask("FLUSHALL");
    server.ask("FUNCTION", "FLUSH");
  }

  @Test
  void a_decision_is_one_call_of_a_function() {
    try (RedisStore store = store(server.uri())) {
      awaitFunctions(server, store);
      ServerCalls before = ServerCalls.of(server);
      hit(store, "k", HITS);
      assertThat(ServerCalls.of(server).since(before)).isEqualTo(new ServerCalls(HITS, 0));
    }
  }

  @Test
  void switched_off_a_decision_is_one_call_of_a_script() {
    try (RedisStore store = Servers.patientBuilder(server.uri()).functions(false).build()) {
      hit(store, "k", 1);
      ServerCalls before = ServerCalls.of(server);
      hit(store, "k", HITS);
      assertThat(ServerCalls.of(server).since(before)).isEqualTo(new ServerCalls(0, HITS));
      assertThat(libraries(server)).isEmpty();
    }
  }

  @Test
  void a_flushed_library_is_loaded_again_and_every_hit_is_charged_once() {
    try (RedisStore store = store(server.uri())) {
      awaitFunctions(server, store);
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      for (int round = 1; round <= 50; round++) {
        server.ask("FUNCTION", "FLUSH");
        if (round % 2 == 0) {
          server.ask("SCRIPT", "FLUSH");
        }
        assertThat(limiter.hit("k").degraded()).isFalse();
        assertThat(limiter.get("k")).isEqualTo(round);
        awaitFunctions(server, store);
      }
    }
  }

  @Test
  void flushes_under_load_lose_no_hit_and_charge_none_twice() {
    int hits = 5_000;
    try (RedisStore store = store(server.uri())) {
      awaitFunctions(server, store);
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      List<CompletableFuture<Decision>> answers = new ArrayList<>();
      for (int i = 0; i < hits; i++) {
        answers.add(limiter.hitAsync("k").toCompletableFuture());
        if (i % 100 == 0) {
          server.ask("FUNCTION", "FLUSH");
          server.ask("SCRIPT", "FLUSH");
        }
      }
      for (CompletableFuture<Decision> answer : answers) {
        assertThat(answer.join().degraded()).isFalse();
      }
      assertThat(limiter.get("k")).isEqualTo(hits);
    }
  }

  @Test
  void a_restarted_server_is_given_the_library_again() {
    try (RedisServer mortal = RedisServer.start();
        RedisStore store = store(mortal.uri())) {
      awaitFunctions(mortal, store);
      mortal.restart();
      awaitFunctions(mortal, store);
    }
  }

  @Test
  void a_server_that_does_not_know_functions_is_called_by_script() {
    try (LogLines log = LogLines.read();
        RedisServer old =
            RedisServer.start(settings -> settings.config("rename-command", "FCALL \"\""));
        RedisStore store = store(old.uri())) {
      hit(store, "k", HITS);
      hit(store, "other", HITS);
      assertThat(ServerCalls.of(old).functions()).isZero();
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith(
              "Redis is called by EVALSHA instead of FCALL, which takes it longer: ERR unk");
    }
  }

  @Test
  void a_user_who_may_not_call_functions_is_served_by_script() {
    servesByScript(LeastPrivilegeTest.COMMANDS, "'fcall' command");
  }

  @Test
  void a_user_who_may_not_load_functions_is_served_by_script() {
    List<String> commands = new ArrayList<>(LeastPrivilegeTest.COMMANDS);
    commands.add("+fcall");
    servesByScript(commands, "'function|load' command");
  }

  private static void servesByScript(List<String> commands, String reason) {
    LeastPrivilegeTest.allow(server, commands);
    try (LogLines log = LogLines.read();
        RedisStore store = store("redis://limiter:secret@127.0.0.1:" + server.port())) {
      LeastPrivilegeTest.doEverything(store);
      Eventually.within(SOON, "a line in the log", () -> !log.lines().isEmpty());
      ServerCalls before = ServerCalls.of(server);
      hit(store, "k", HITS);
      assertThat(ServerCalls.of(server).since(before)).isEqualTo(new ServerCalls(0, HITS));
      assertThat(log.lines()).singleElement().asString().contains("instead of FCALL", reason);
    }
  }

  @Test
  void a_library_that_another_user_loaded_will_do() {
    try (RedisStore store = store(server.uri())) {
      awaitFunctions(server, store);
    }
    List<String> commands = new ArrayList<>(LeastPrivilegeTest.COMMANDS);
    commands.add("+fcall");
    LeastPrivilegeTest.allow(server, commands);
    try (RedisStore store = store("redis://limiter:secret@127.0.0.1:" + server.port())) {
      ServerCalls before = ServerCalls.of(server);
      LeastPrivilegeTest.doEverything(store);
      assertThat(ServerCalls.of(server).since(before).scripts()).isZero();
    }
  }

  @Test
  void two_versions_share_a_server() {
    Scripts.Library ours = new Scripts().library();
    String otherName = "stint_0123456789abcdef";
    assertThat(ours.name()).matches("stint_[0-9a-f]{16}").isNotEqualTo(otherName);
    try (RedisStore store = store(server.uri())) {
      server.ask("FUNCTION", "LOAD", ours.source().replace(ours.name(), otherName));
      awaitFunctions(server, store);
      assertThat(libraries(server)).contains(ours.name(), otherName);
      server.ask("FUNCTION", "DELETE", ours.name());
      hit(store, "k", HITS);
      awaitFunctions(server, store);
      assertThat(libraries(server)).contains(ours.name(), otherName);
    }
  }

  @Test
  void out_of_memory_a_full_key_is_still_refused_and_a_peek_exact() {
    try (RedisServer small = RedisServer.start();
        RedisStore store = store(small.uri())) {
      awaitFunctions(small, store);
      RateLimiter limiter = RateLimiter.of(store, Limit.fixedWindowPerKey(2, DAY));
      limiter.hit("full", 2);
      small.ask("CONFIG", "SET", "maxmemory", "1");
      Decision refused = limiter.hit("full");
      assertThat(refused.allowed()).isFalse();
      assertThat(refused.degraded()).isFalse();
      assertThat(limiter.peek("empty").degraded()).isFalse();
      Decision unwritten = limiter.hit("empty");
      assertThat(unwritten.degraded()).isTrue();
      assertThat(unwritten.reason().orElseThrow()).contains("OOM");
      small.ask("CONFIG", "SET", "maxmemory", "0");
      assertThat(limiter.get("full")).isEqualTo(2);
      awaitFunctions(small, store);
    }
  }

  @Test
  void more_limits_than_a_library_remembers_are_decided_alike() {
    try (RedisStore store = store(server.uri())) {
      awaitFunctions(server, store);
      RateLimiter limiter = RateLimiter.of(store);
      for (int round = 0; round < 2; round++) {
        for (int amount = 1; amount <= 1_500; amount++) {
          Decision hit = limiter.hit(LIMIT.named("n" + amount).on("k"));
          assertThat(hit.used()).isEqualTo(round + 1);
          Decision other = limiter.peek(Limit.tokenBucket(amount, DAY).on("b"));
          assertThat(other.remaining()).isEqualTo(amount);
        }
      }
    }
  }

  static RedisStore store(String uri) {
    return Servers.patientBuilder(uri).functions(true).build();
  }

  /** Returns when a hit goes by function: a library is loaded while decisions go by script. */
  static void awaitFunctions(RedisServer server, RedisStore store) {
    RateLimiter limiter = RateLimiter.of(store, LIMIT);
    Eventually.within(
        SOON,
        "a call by function",
        () -> {
          ServerCalls before = ServerCalls.of(server);
          boolean exact = !limiter.hit("await").degraded();
          return exact && ServerCalls.of(server).since(before).equals(new ServerCalls(1, 0));
        });
  }

  private static void hit(RedisStore store, String key, int times) {
    RateLimiter limiter = RateLimiter.of(store, LIMIT);
    for (int i = 0; i < times; i++) {
      Decision hit = limiter.hit(key);
      assertThat(hit.degraded()).as("%s", hit.reason()).isFalse();
    }
  }

  static List<String> libraries(RedisServer node) {
    List<String> names = new ArrayList<>();
    try (Resp resp = node.resp()) {
      for (Object library : resp.list("FUNCTION", "LIST")) {
        names.add(((List<?>) library).get(1).toString());
      }
    }
    return names;
  }
}
