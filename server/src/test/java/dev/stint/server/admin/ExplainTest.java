package dev.stint.server.admin;

import static dev.stint.server.admin.Viewer.at;
import static dev.stint.server.admin.Watched.policies;
import static dev.stint.server.admin.Watched.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.config.RlsSettings;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExplainTest {

  private static PolicySettings.Override override(String text, boolean isPrefix, String limits) {
    return new PolicySettings.Override(text, isPrefix, Limit.parseAll(limits));
  }

  private static Map<String, PolicySettings> login() {
    Map<String, PolicySettings> policies =
        policies(
            "login",
            policy(
                "2/minute; 10/day",
                false,
                false,
                Optional.of("next"),
                override("admin", false, "9/minute"),
                override("bot-", true, "1/minute")));
    policies.put("next", policy("1/minute"));
    policies.put("tried", policy("1/minute", false, true, Optional.empty()));
    return policies;
  }

  @Test
  void tells_every_limit_and_which_one_decides() throws Exception {
    try (Watched watched = new Watched(Watched.closed(login()))) {
      watched.hit("login", "alice", 2);
      Map<String, @Nullable Object> told = watched.explain("login", "alice");
      assertThat(told)
          .containsOnlyKeys(
              "version",
              "policy",
              "key",
              "cost",
              "mode",
              "rule",
              "allowed",
              "degraded",
              "retryAfterMicros",
              "limits",
              "why",
              "candidate");
      assertThat(told)
          .containsEntry("version", 1L)
          .containsEntry("policy", "login")
          .containsEntry("key", "alice")
          .containsEntry("cost", 1L)
          .containsEntry("mode", "enforce")
          .containsEntry("rule", Map.of("kind", "usual"))
          .containsEntry("allowed", false)
          .containsEntry("degraded", false)
          .containsEntry("retryAfterMicros", 30_000_000L)
          .containsEntry("candidate", Map.of("name", "next", "allowed", false))
          .containsEntry(
              "why", "Refused: 2 of 2 are used under 2/minute; 1 more will fit in 30.0 s.");
      assertThat(at(told, "limits", 0))
          .isEqualTo(
              Map.of(
                  "limit", "2/minute",
                  "name", "",
                  "allowed", false,
                  "decides", true,
                  "used", 2L,
                  "remaining", 0L,
                  "capacity", 2L,
                  "retryAfterMicros", 30_000_000L,
                  "resetAfterMicros", 60_000_000L));
      assertThat(at(told, "limits", 1, "decides")).isEqualTo(false);
      assertThat(at(told, "limits", 1, "used")).isEqualTo(2L);
    }
  }

  @Test
  void takes_nothing_and_is_not_counted() throws Exception {
    try (Watched watched = new Watched(Watched.closed(login()))) {
      for (int i = 0; i < 5; i++) {
        assertThat(watched.explain("login", "alice")).containsEntry("allowed", true);
      }
      try (Viewer viewer = watched.viewer()) {
        Map<String, @Nullable Object> snapshot = viewer.snapshot();
        assertThat(at(snapshot, "totals", "admitted")).isEqualTo(0L);
        assertThat(at(snapshot, "top", "used")).isEqualTo(List.of());
        assertThat(at(snapshot, "policies", 0, "candidate", "bothAllow")).isEqualTo(0L);
      }
    }
  }

  @Test
  void names_the_override_that_holds() throws Exception {
    try (Watched watched = new Watched(Watched.closed(login()))) {
      assertThat(watched.explain("login", "admin"))
          .containsEntry("rule", Map.of("kind", "exact", "text", "admin"));
      Map<String, @Nullable Object> bot = watched.explain("login", "bot-7");
      assertThat(bot).containsEntry("rule", Map.of("kind", "prefix", "text", "bot-"));
      assertThat(at(bot, "limits", 0, "limit")).isEqualTo("1/minute");
      assertThat(bot.get("why")).asString().contains("keys that begin with 'bot-'");
    }
  }

  @Test
  void a_cost_that_never_fits_has_no_end() throws Exception {
    try (Watched watched = new Watched(Watched.open(login()))) {
      Map<String, @Nullable Object> told =
          Viewer.object(watched.get("/explain?policy=login&key=a&cost=3").body());
      assertThat(told).containsEntry("allowed", false).containsEntry("retryAfterMicros", null);
      assertThat(told.get("why")).asString().contains("more than 2/minute can ever hold");
    }
  }

  @Test
  void a_policy_that_only_watches_says_so() throws Exception {
    try (Watched watched = new Watched(Watched.closed(login()))) {
      watched.hit("tried", "alice", 1);
      Map<String, @Nullable Object> told = watched.explain("tried", "alice");
      assertThat(told).containsEntry("mode", "shadow").containsEntry("allowed", false);
      assertThat(told.get("why")).asString().contains("only watches");
    }
  }

  @Test
  void grants_and_blocks_are_told_with_their_end() throws Exception {
    try (Watched watched = new Watched(Watched.closed(login()))) {
      long until = watched.time.now().plusSeconds(60).toEpochMilli();
      watched.order("block", "login", "alice", 60);
      assertThat(watched.explain("login", "alice"))
          .containsEntry("rule", Map.of("kind", "block", "until", until))
          .containsEntry("allowed", false)
          .containsEntry("retryAfterMicros", 60_000_000L)
          .containsEntry(
              "why",
              "Refused: a block holds for this key until 2024-01-01T00:01:00Z, whatever is left of"
                  + " its limits.");
      watched.order("grant", "login", "alice", 60);
      assertThat(watched.explain("login", "alice"))
          .containsEntry("rule", Map.of("kind", "grant", "until", until))
          .containsEntry("allowed", true)
          .containsEntry("retryAfterMicros", 0L);
    }
  }

  @Test
  void what_is_missing_or_unknown_is_said() throws Exception {
    try (Watched watched = new Watched(Watched.open(login()))) {
      assertThat(watched.get("/explain?key=a").statusCode()).isEqualTo(400);
      assertThat(watched.get("/explain?policy=login").body()).contains("key must be a text");
      assertThat(watched.get("/explain?policy=login&key=a&cost=x").body()).contains("cost must be");
      var unknown = watched.get("/explain?policy=lgoin&key=a");
      assertThat(unknown.statusCode()).isEqualTo(404);
      assertThat(unknown.body())
          .isEqualTo("{\"error\":\"unknown policy 'lgoin'; did you mean 'login'?\"}\n");
    }
  }

  private static RlsSettings.Node node(
      String key, String value, @Nullable String limit, RlsSettings.Node... children) {
    Optional<RlsSettings.Rule> rule =
        Optional.ofNullable(limit)
            .map(
                text ->
                    new RlsSettings.Rule(
                        Optional.of(Limit.parse(text).named("_rls")),
                        false,
                        3,
                        "minute",
                        1,
                        "",
                        List.of(),
                        OnStoreError.LOCAL));
    return new RlsSettings.Node(
        key,
        Optional.of(value).filter(text -> !text.isEmpty()),
        rule,
        false,
        false,
        List.of(children));
  }

  @Test
  void a_descriptor_is_explained_by_envoys_rules() throws Exception {
    RlsSettings rls =
        new RlsSettings(
            Duration.ofMillis(12),
            Map.of(
                "web",
                List.of(node("path", "/login", null, node("user", "", "3/minute fixed-window")))));
    try (Watched watched = new Watched(Watched.open(login()).withRls(rls))) {
      String path = "/explain?domain=web&descriptor=path%3D%2Flogin%2Cuser%3Dalice";
      assertThat(Viewer.object(watched.get(path).body()))
          .containsEntry("policy", "web/path_/login.user")
          .containsEntry("key", "path=/login,user=alice")
          .containsEntry("rule", Map.of("kind", "rls", "text", "path_/login.user"))
          .containsEntry("allowed", true)
          .containsEntry(
              "why",
              "Allowed under the rule path_/login.user: 0 of 3 are used under 3/minute"
                  + " fixed-window, and 1 more fits.");
      assertThat(Viewer.object(watched.get("/explain?domain=web&descriptor=path=x").body()))
          .containsEntry("rule", Map.of("kind", "none"))
          .containsEntry("limits", List.of());
      assertThat(watched.get("/explain?domain=wbe&descriptor=path=x").body())
          .contains("unknown domain 'wbe'; did you mean 'web'?");
      assertThat(watched.get("/explain?domain=web").body()).contains("descriptor must be given");
      try (Viewer viewer = watched.viewer()) {
        Object line = at(viewer.snapshot(), "policies", 3);
        assertThat(at(line, "name")).isEqualTo("web/path_/login.user");
        assertThat(at(line, "kind")).isEqualTo("rls");
        assertThat(at(line, "limits")).isEqualTo(List.of("3/minute fixed-window"));
        assertThat(at(line, "admitted")).isEqualTo(0L);
      }
    }
  }

  @Test
  void an_address_that_is_not_encoded_well_is_refused_with_a_sentence() throws Exception {
    try (Watched watched = new Watched(Watched.open(policies("login", policy("2/minute"))));
        Socket raw = new Socket(InetAddress.getLoopbackAddress(), watched.service.adminPort())) {
      raw.setSoTimeout(10_000);
      raw.getOutputStream()
          .write(
              "GET /explain?policy=login&key=%zz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      byte[] answer = new byte[1 << 12];
      int length = raw.getInputStream().read(answer);
      assertThat(new String(answer, 0, length, StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 400")
          .contains("percent");
    }
  }
}
