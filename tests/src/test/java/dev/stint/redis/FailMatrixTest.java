package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.lab.RedisServer;
import dev.stint.lab.Resp;
import dev.stint.lab.TcpProxy;
import dev.stint.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every way to fail, with every answer to it: nothing is thrown in the request path, and a decision
 * made without Redis says so, and why.
 */
@Tag("redis")
@ExtendWith(QuietLettuce.class)
class FailMatrixTest {

  static final Limit LIMIT = Limit.parse("10/minute fixed-window-per-key");
  private static final Duration SOON = Duration.ofSeconds(5);

  @Test
  void no_answer() {
    try (RedisServer server = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(server.port());
        RedisStore store = RedisStore.connect(proxy.uri())) {
      proxy.pause(true);
      assertFails(store, "Redis did not answer within 25 ms");
      proxy.pause(false);
      assertRecovers(store);
    }
  }

  @Test
  void connections_refused() {
    try (RedisServer server = RedisServer.start();
        RedisStore store = RedisStore.connect(server.uri())) {
      server.kill();
      assertFails(store, "(?i).*(not connected|refused|reset|closed).*");
      server.restart();
      assertRecovers(store);
    }
  }

  @Test
  void connections_refused_from_the_beginning() {
    RedisServer server = RedisServer.start();
    server.close();
    try (RedisStore store = RedisStore.connect(server.uri())) {
      assertFails(store, "Redis cannot be reached: Connection refused.*");
    }
  }

  @Test
  void connections_reset_under_way() {
    try (RedisServer server = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(server.port());
        RedisStore store = Servers.patientBuilder(proxy.uri()).build()) {
      proxy.swallowReplies(true);
      long before = proxy.requestBytes();
      CompletableFuture<Decision> hit =
          RateLimiter.of(store, LIMIT).hitAsync("k").toCompletableFuture();
      Eventually.within(SOON, "the sending", () -> proxy.requestBytes() > before);
      proxy.reset();
      Decision decision = hit.join();
      assertThat(decision.degraded()).isTrue();
      assertThat(decision.reason())
          .hasValueSatisfying(it -> assertThat(it).matches("Redis: .*(reset|closed).*"));
      proxy.refuse(true);
      proxy.reset();
      proxy.swallowReplies(false);
      Eventually.within(SOON, "the end of the connection", () -> proxy.connections() == 0);
      assertFails(store, "(?i).*(not connected|refused|reset|closed).*");
      proxy.refuse(false);
      assertRecovers(store);
    }
  }

  @Test
  void memory_used_up() {
    try (RedisServer server = RedisServer.start("--maxmemory-policy", "noeviction");
        RedisStore store = unhurried(server.uri())) {
      server.ask("CONFIG", "SET", "maxmemory", "1");
      assertFails(store, "Redis answered: .*OOM command not allowed.*");
      server.ask("CONFIG", "SET", "maxmemory", "0");
      assertRecovers(store);
    }
  }

  @Test
  void scripts_forgotten_are_no_failure_at_all() {
    try (RedisServer server = RedisServer.start();
        RedisStore store = Servers.patient(server.uri())) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      for (int i = 1; i <= 5; i++) {
        server.ask("SCRIPT", "FLUSH");
        Decision decision = limiter.hit("k");
        assertThat(decision.degraded()).isFalse();
        assertThat(decision.used()).isEqualTo(i);
      }
    }
  }

  @Test
  void a_server_turned_replica() {
    try (RedisServer server = RedisServer.start();
        RedisStore store = unhurried(server.uri())) {
      server.ask("REPLICAOF", "127.0.0.1", "1");
      assertFails(store, "Redis answered: .*READONLY.*");
      server.ask("REPLICAOF", "NO", "ONE");
      assertRecovers(store);
    }
  }

  @Test
  void a_server_busy_with_a_script() throws Exception {
    try (RedisServer server = RedisServer.start("--lua-time-limit", "1");
        RedisStore store = unhurried(server.uri());
        Resp other = server.resp()) {
      Thread script =
          new Thread(
              () -> {
                try {
                  other.call("EVAL", "while true do end", "0");
                } catch (RuntimeException killed) {
                  // as it should be
                }
              });
      script.start();
      assertFails(store, "Redis: BUSY .*");
      try (Resp killer = Resp.connect(server.port())) {
        killer.call("SCRIPT", "KILL");
      }
      script.join();
      assertRecovers(store);
    }
  }

  @Test
  void a_wrong_password() {
    try (RedisServer server = RedisServer.start(settings -> settings.password("right"));
        RedisStore store = RedisStore.connect("redis://:wrong@127.0.0.1:" + server.port())) {
      assertFails(store, "Redis cannot be reached: WRONGPASS.*");
      server.ask("CONFIG", "SET", "requirepass", "wrong");
      assertRecovers(store);
    }
  }

  @Test
  void no_password() {
    try (RedisServer server = RedisServer.start(settings -> settings.password("right"));
        RedisStore store = RedisStore.connect("redis://127.0.0.1:" + server.port())) {
      assertFails(store, "Redis cannot be reached: NOAUTH.*");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -LOADING Redis is loading the dataset in memory  | Redis: LOADING .*
          -CLUSTERDOWN The cluster is down                 | Redis: CLUSTERDOWN .*
          -BUSY Redis is busy running a script             | Redis: BUSY .*
          -MASTERDOWN Link with MASTER is down             | Redis: MASTERDOWN .*
          -MISCONF Redis is configured to save snapshots   | Redis: MISCONF .*
          -NOREPLICAS Not enough good replicas to write.   | Redis: NOREPLICAS .*
          -NOPERM this user has no permissions             | Redis: NOPERM .*
          -MOVED 1 127.0.0.1:1                             | Redis: MOVED .*
          -ERR some error nobody has heard of              | Redis: ERR some error .*
          +OK                                              | the reply of Redis is too short.*
          :1                                               | the reply of Redis is too short.*
          *0                                               | the reply of Redis is too short.*
          *2\\r\\n:1\\r\\n:2                               | the reply of Redis is too short.*
          $-1                                              | the reply of Redis is too short.*
          """)
  void any_error_that_a_server_answers(String reply, String reason) {
    try (FakeRedis server = new FakeRedis(reply.replace("\\r\\n", "\r\n"));
        RedisStore store = unhurried(server.uri())) {
      assertFails(store, reason);
    }
  }

  @Test
  void an_error_within_the_scripts_reply() {
    char[] reply = {'.', '.', '.', '.', '.', '.', '.', 1, 0, 3, 'a', 'b', 'c'};
    try (FakeRedis server = new FakeRedis("$13\r\n" + new String(reply));
        RedisStore store = unhurried(server.uri())) {
      assertFails(store, "Redis answered: abc");
    }
  }

  @Test
  void a_cluster_that_sends_everybody_in_circles() {
    try (FakeRedis server = new FakeRedis("-CLUSTERDOWN The cluster is down");
        RedisStore store = unhurried("redis-cluster://127.0.0.1:" + server.port())) {
      assertFails(store, "Redis: CLUSTERDOWN .*");
      server.reply("-MOVED 1 127.0.0.1:" + server.port());
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      Eventually.within(
          SOON,
          "the naming of the cause",
          () -> limiter.hit("k").reason().orElse("").contains("MOVED"));
      assertFails(store, "Redis: MOVED .*");
    }
  }

  /** A store that a busy machine does not make believe that the server is late. */
  static RedisStore unhurried(String uri) {
    return RedisStore.builder(uri)
        .deadline(Duration.ofSeconds(1))
        .connectTimeout(Duration.ofMillis(300))
        .build();
  }

  private static void assertFails(RedisStore store, String reason) {
    assertFails(store, "k", reason);
  }

  /** Redis cannot be asked, whichever way one asks, and every fallback does what it is for. */
  static void assertFails(RedisStore store, String key, String reason) {
    // The first failures may have another reason than the lasting one; and who only asks may get an
    // answer where nobody can write, until the breaker has opened.
    RateLimiter limiter = RateLimiter.of(store, LIMIT);
    AtomicReference<String> last = new AtomicReference<>();
    Eventually.within(
        SOON,
        () -> "an answer because of " + reason + " and not " + last.get(),
        () -> {
          for (int i = 0; i < 10; i++) {
            limiter.hit(key);
          }
          last.set(limiter.peek(key).reason().orElse("none"));
          return last.get().matches("(?s)" + reason);
        });
    try (LogLines log = LogLines.read()) {
      assertAnswers(store, key, reason, true);
      MemoryStore memory = MemoryStore.create();
      Store shared = store.orElse(memory.share(5));
      assertAnswers(shared, key, reason, true);
      RateLimiter local = RateLimiter.of(memory.share(5), LIMIT);
      assertThat(local.get(key)).as("counted by the fallback").isEqualTo(2);
      assertAnswers(shared, key, reason, false);
      memory.close();
      assertAnswers(store.orElse(Store.admitting()), key, reason, true);
      assertAnswers(store.orElse(Store.denying()), key, reason, false);
      assertThat(log.lines().size()).isLessThanOrEqualTo(1);
    }
  }

  private static void assertAnswers(Store store, String key, String reason, boolean allowed) {
    RateLimiter limiter = RateLimiter.of(store, LIMIT);
    assertDegraded(limiter.peek(key), reason, allowed);
    assertDegraded(limiter.hit(key), reason, allowed);
    assertDegraded(limiter.hitAsync(key).toCompletableFuture().join(), reason, allowed);
    if (allowed && !limiter.peek(key).allowed()) {
      return; // the fallback's share is used up, and acquire would wait
    }
    try {
      assertDegraded(limiter.acquire(key, Duration.ZERO), reason, allowed);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    assertThatThrownBy(() -> limiter.inc(key, 1)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> limiter.set(key, 1)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> limiter.get(key)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> limiter.reset(key)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> limiter.incAsync(key, 1).toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(StoreException.class);
  }

  private static void assertDegraded(Decision decision, String reason, boolean allowed) {
    assertThat(decision.degraded()).isTrue();
    assertThat(decision.reason()).hasValueSatisfying(it -> assertThat(it).matches("(?s)" + reason));
    assertThat(decision.allowed()).isEqualTo(allowed);
  }

  private static void assertRecovers(RedisStore store) {
    RateLimiter limiter = RateLimiter.of(store, LIMIT);
    Eventually.within(SOON, "an exact decision", () -> !limiter.peek("k").degraded());
  }
}
