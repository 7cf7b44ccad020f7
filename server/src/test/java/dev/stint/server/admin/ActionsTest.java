package dev.stint.server.admin;

import static dev.stint.server.admin.Viewer.at;
import static dev.stint.server.admin.Watched.policies;
import static dev.stint.server.admin.Watched.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.lab.RedisServer;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.config.StoreSettings;
import dev.stint.server.serve.Service;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ActionsTest {

  private static final Map<String, PolicySettings> LOGIN = policies("login", policy("2/minute"));
  private static final String RESET =
      "{\"action\":\"reset\",\"policy\":\"login\",\"key\":\"alice\"}";

  private final List<String> audit = new CopyOnWriteArrayList<>();
  private final Logger logger = Logger.getLogger("dev.stint.server.audit");
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          audit.add(new SimpleFormatter().formatMessage(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(handler);
  }

  @Test
  void without_a_configured_token_nothing_can_be_changed() throws Exception {
    try (Watched watched = new Watched(Watched.open(LOGIN))) {
      var answer = watched.act(RESET);
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body()).contains("token-file");
      assertThat(audit).isEmpty();
    }
  }

  @Test
  void the_token_must_be_given_and_right() throws Exception {
    try (Watched watched = new Watched(Watched.closed(LOGIN))) {
      assertThat(watched.act(RESET).statusCode()).isEqualTo(401);
      assertThat(watched.act(RESET, "Authorization", "Bearer wrong").statusCode()).isEqualTo(401);
      assertThat(watched.get("/actions", "Authorization", "Bearer " + Watched.TOKEN).statusCode())
          .isEqualTo(405);
      assertThat(audit).isEmpty();
    }
  }

  @Test
  void a_page_of_another_origin_changes_nothing_though_it_knows_the_token() throws Exception {
    try (Watched watched = new Watched(Watched.closed(LOGIN))) {
      String[] token = {"Authorization", "Bearer " + Watched.TOKEN};
      for (String[] mark :
          new String[][] {
            {"Sec-Fetch-Site", "cross-site"},
            {"Sec-Fetch-Site", "same-site"},
            {"Origin", "http://localhost:8080"},
            {"Origin", "null"}
          }) {
        var answer = watched.act(RESET, token[0], token[1], mark[0], mark[1]);
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("a web page of another origin");
      }
      assertThat(audit).isEmpty();
      assertThat(watched.act(RESET, token[0], token[1], "Sec-Fetch-Site", "same-origin"))
          .returns(200, HttpResponse::statusCode);
    }
  }

  @Test
  void an_action_must_be_sent_as_json() throws Exception {
    try (Watched watched = new Watched(Watched.closed(LOGIN))) {
      URI actions = URI.create("http://127.0.0.1:" + watched.service.adminPort() + "/actions");
      var answer =
          watched.client.send(
              HttpRequest.newBuilder(actions)
                  .header("Authorization", "Bearer " + Watched.TOKEN)
                  .POST(HttpRequest.BodyPublishers.ofString(RESET))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(415);
      assertThat(answer.body()).contains("add the header Content-Type: application/json");
      assertThat(audit).isEmpty();
    }
  }

  @Test
  void a_reset_frees_a_key_and_is_written_down() throws Exception {
    try (Watched watched = new Watched(Watched.closed(LOGIN))) {
      watched.hit("login", "alice", 2);
      assertThat(watched.ask("login", "alice").statusCode()).isEqualTo(429);
      assertThat(watched.order("reset", "login", "alice", 0).body())
          .isEqualTo("{\"done\":\"The counts of 'alice' in login are reset.\"}\n");
      assertThat(watched.ask("login", "alice").statusCode()).isEqualTo(200);
      assertThat(audit).containsExactly("reset of 'alice' in login, by 127.0.0.1");
    }
  }

  @Test
  void a_block_refuses_until_its_end_and_says_when_that_is() throws Exception {
    try (Watched watched = new Watched(Watched.closed(LOGIN))) {
      assertThat(watched.order("block", "login", "alice", 600).statusCode()).isEqualTo(200);
      assertThat(audit).containsExactly("block of 'alice' in login for 600 s, by 127.0.0.1");
      var refused = watched.ask("login", "alice");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("600");
      assertThat(refused.headers().firstValue("RateLimit")).hasValue("\"login\";r=0;t=600");
      assertThat(watched.ask("login", "bob").statusCode()).isEqualTo(200);

      watched.time.advance(Duration.ofMinutes(10).minusMillis(1));
      assertThat(watched.ask("login", "alice").statusCode()).isEqualTo(429);
      watched.time.advance(Duration.ofMillis(1));
      assertThat(watched.ask("login", "alice").statusCode()).isEqualTo(200);
      assertThat(at(watched.explain("login", "alice"), "limits", 0, "used")).isEqualTo(1L);
    }
  }

  @Test
  void a_grant_counts_and_never_refuses() throws Exception {
    try (Watched watched = new Watched(Watched.closed(LOGIN))) {
      watched.order("grant", "login", "alice", 10);
      for (int i = 0; i < 5; i++) {
        assertThat(watched.ask("login", "alice").statusCode()).isEqualTo(200);
      }
      watched.time.advance(Duration.ofSeconds(9));
      assertThat(watched.ask("login", "alice").statusCode()).isEqualTo(200);
      watched.time.advance(Duration.ofSeconds(1));
      assertThat(watched.ask("login", "alice").statusCode()).isEqualTo(429);
    }
  }

  @Test
  void a_block_can_be_lifted_and_outlives_a_reload() throws Exception {
    try (Watched watched = new Watched(Watched.closed(LOGIN))) {
      watched.order("block", "login", "alice", 600);
      watched.service.reload(Watched.closed(policies("login", policy("9/minute"))));
      assertThat(watched.ask("login", "alice").statusCode()).isEqualTo(429);
      assertThat(watched.order("lift", "login", "alice", 0).statusCode()).isEqualTo(200);
      assertThat(watched.ask("login", "alice").statusCode()).isEqualTo(200);
      assertThat(watched.order("lift", "login", "alice", 0).body()).contains("was none");
    }
  }

  @Test
  void a_key_that_its_policy_hides_is_hidden_in_the_log_and_in_the_list() throws Exception {
    Map<String, PolicySettings> hiding =
        policies("login", policy("2/minute", true, false, Optional.empty()));
    try (Watched watched = new Watched(Watched.closed(hiding))) {
      watched.order("block", "login", "alice@example.com", 600);
      assertThat(watched.ask("login", "alice@example.com").statusCode()).isEqualTo(429);
      assertThat(audit).hasSize(1).allMatch(line -> !line.contains("alice"));
      try (Viewer viewer = watched.viewer()) {
        Object told = at(viewer.snapshot(), "exceptions", 0);
        assertThat(at(told, "hashed")).isEqualTo(true);
        assertThat(at(told, "kind")).isEqualTo("block");
        assertThat(at(told, "until")).isEqualTo(watched.time.now().plusSeconds(600).toEpochMilli());
        String hash = String.valueOf(at(told, "key"));
        assertThat(hash).doesNotContain("alice");
        assertThat(watched.order("lift", "login", hash, 0).statusCode()).isEqualTo(200);
      }
      assertThat(watched.ask("login", "alice@example.com").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void what_cannot_be_done_is_refused_with_a_sentence() throws Exception {
    try (Watched watched = new Watched(Watched.closed(LOGIN))) {
      assertThat(watched.order("block", "login", "alice", 0).body()).contains("seconds must be");
      assertThat(watched.order("block", "login", "alice", 2_592_001).body()).contains("30 days");
      assertThat(watched.order("reset", "login", "alice", 5).body()).contains("must not be given");
      assertThat(watched.order("blok", "login", "alice", 5).body())
          .contains("did you mean 'block'?");
      assertThat(watched.order("reset", "logn", "alice", 0).body())
          .contains("unknown policy 'logn'; did you mean 'login'?");
      assertThat(watched.order("reset", "login", "", 0).body()).contains("key must be");
      assertThat(watched.act("[", "Authorization", "Bearer " + Watched.TOKEN).statusCode())
          .isEqualTo(400);
      assertThat(
              watched
                  .act("x".repeat(100_000), "Authorization", "Bearer " + Watched.TOKEN)
                  .statusCode())
          .isEqualTo(413);
      assertThat(audit).isEmpty();
    }
  }

  @Test
  void a_policy_that_only_watches_has_nothing_to_block() throws Exception {
    Map<String, PolicySettings> shadow =
        policies("login", policy("2/minute", false, true, Optional.empty()));
    try (Watched watched = new Watched(Watched.closed(shadow))) {
      assertThat(watched.order("block", "login", "alice", 5).body()).contains("only watches");
    }
  }

  private static HttpResponse<String> send(Watched watched, byte[] body) throws Exception {
    URI actions = URI.create("http://127.0.0.1:" + watched.service.adminPort() + "/actions");
    return watched.client.send(
        HttpRequest.newBuilder(actions)
            .timeout(Duration.ofSeconds(10))
            .header("Authorization", "Bearer " + Watched.TOKEN)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Zeros at the start make it UTF-32 to who guesses, and the rest is no character of that. */
  @Test
  void bytes_that_are_no_text_are_refused_as_well() throws Exception {
    try (Watched watched = new Watched(Watched.closed(LOGIN))) {
      assertThat(send(watched, new byte[] {0, 0, 0, '{', 0, -1, -1, -1}).statusCode())
          .isEqualTo(400);
    }
  }

  @Test
  void an_order_for_two_keys_at_once_is_none() throws Exception {
    try (Watched watched = new Watched(Watched.closed(LOGIN))) {
      String twice = "{\"action\":\"reset\",\"policy\":\"login\",\"key\":\"a\",\"key\":\"b\"}";
      assertThat(send(watched, twice.getBytes(StandardCharsets.UTF_8)).statusCode()).isEqualTo(400);
      assertThat(audit).isEmpty();
    }
  }

  @Test
  void a_key_cannot_write_audit_lines_of_its_own() throws Exception {
    try (Watched watched = new Watched(Watched.closed(LOGIN))) {
      watched.order("reset", "login", "a\\n\\u2028\\u202e\\u001b[31m' in login, by 9.9.9.9", 0);
      assertThat(audit)
          .containsExactly(
              "reset of 'a\\u000a\\u2028\\u202e\\u001b[31m\\u0027 in login, by 9.9.9.9' in login, by"
                  + " 127.0.0.1");
    }
  }

  @Test
  void a_body_that_is_too_long_is_refused_before_its_end() throws Exception {
    try (Watched watched = new Watched(Watched.closed(LOGIN));
        Socket endless =
            new Socket(InetAddress.getLoopbackAddress(), watched.service.adminPort())) {
      endless.setSoTimeout(10_000);
      String start =
          "POST /actions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer "
              + Watched.TOKEN
              + "\r\nContent-Length: 100000000\r\n\r\n";
      endless
          .getOutputStream()
          .write((start + "x".repeat(100_000)).getBytes(StandardCharsets.US_ASCII));
      String answer = new String(endless.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 413").contains("at most");
    }
  }

  @Test
  @Tag("redis")
  void a_reset_without_its_store_says_that_the_store_is_away() throws Exception {
    try (RedisServer redis = RedisServer.start();
        Watched watched =
            new Watched(
                Service.start(Watched.closed(LOGIN).withStore(StoreSettings.at(redis.uri()))))) {
      redis.kill();
      HttpResponse<String> answer = watched.order("reset", "login", "alice", 0);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("the store cannot be reached");
      assertThat(audit).isEmpty();
    }
  }
}
