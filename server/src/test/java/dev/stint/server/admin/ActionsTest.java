package dev.stint.server.admin;

import static dev.stint.server.admin.Viewer.at;
import static dev.stint.server.admin.Watched.policies;
import static dev.stint.server.admin.Watched.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.PolicySettings;
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

      watched.time.advance(Duration.ofSeconds(600).minusMillis(1));
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
}
