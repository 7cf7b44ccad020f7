package dev.stint.server.http;

import static dev.stint.server.http.RunningHttp.detail;
import static dev.stint.server.http.RunningHttp.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Permission;
import dev.stint.server.config.Secret;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Deciding and changing over HTTP, with tokens and without. */
class PermissionsTest {

  private static final String DECIDER = "a token that may decide";
  private static final String CHANGER = "a token that may change";

  private static final String KEY = "{\"key\":\"alice\"}";
  private static final String SET = "{\"key\":\"alice\",\"n\":3}";
  private static final String ENVOY =
      "{\"domain\":\"web\",\"descriptors\":[{\"entries\":[{\"key\":\"a\"}]%s}]}";
  private static final String NEGATIVE = ",\"hitsAddend\":\"1\",\"isNegativeHits\":true";

  /** Requests that need permission to decide, by path. */
  private static Map<String, String> decisions() {
    Map<String, String> requests = new LinkedHashMap<>();
    requests.put("/v1/hit", KEY);
    requests.put("/v1/peek", KEY);
    requests.put("/v1/batch", "{\"checks\":[" + KEY + "]}");
    requests.put("/json", ENVOY.formatted(""));
    requests.put("/check?userId=bob", "");
    requests.put("/v1/keys/default/alice", "");
    return requests;
  }

  /** Requests that need permission to change counts, by path. */
  private static Map<String, String> changes() {
    Map<String, String> requests = new LinkedHashMap<>();
    requests.put("/v1/inc", KEY);
    requests.put("/v1/refund", KEY);
    requests.put("/v1/set", SET);
    requests.put("/v1/reset", KEY);
    requests.put("/json", ENVOY.formatted(NEGATIVE));
    return requests;
  }

  private static HttpRequest.Builder request(RunningHttp http, String path, String body) {
    HttpRequest.Builder request = http.request(path);
    return body.isEmpty()
        ? request
        : request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
  }

  private static Configuration clients() {
    return RunningHttp.standard()
        .withClients(
            Clients.of(
                Map.of(
                    "shop",
                    ClientSettings.deciding(Secret.of(DECIDER)),
                    "billing",
                    new ClientSettings(Secret.of(CHANGER), Set.of(Permission.CHANGE)))));
  }

  @Test
  void a_token_that_may_decide_changes_nothing() {
    try (RunningHttp http = RunningHttp.start(clients())) {
      decisions()
          .forEach(
              (path, body) ->
                  assertThat(send(http, path, body, DECIDER).statusCode()).as(path).isEqualTo(200));
      changes()
          .forEach(
              (path, body) -> {
                var refused = send(http, path, body, DECIDER);
                assertThat(refused.statusCode()).as(path).isEqualTo(403);
                assertThat(refused.headers().firstValue("content-type"))
                    .hasValue("application/problem+json");
                assertThat(detail(refused))
                    .isEqualTo(
                        "client 'shop' must be allowed to change counts, and is not; add change to"
                            + " clients.shop.may in stint.yaml");
              });
      var state = send(http, "/v1/keys/default/alice", "", DECIDER);
      assertThat(json(state).path("used").asInt()).isEqualTo(2); // a hit, and one in the batch
    }
  }

  @Test
  void a_token_that_may_change_decides_nothing() {
    try (RunningHttp http = RunningHttp.start(clients())) {
      changes()
          .forEach(
              (path, body) ->
                  assertThat(send(http, path, body, CHANGER).statusCode()).as(path).isEqualTo(200));
      decisions()
          .forEach(
              (path, body) -> {
                var refused = send(http, path, body, CHANGER);
                assertThat(refused.statusCode()).as(path).isEqualTo(403);
                assertThat(detail(refused)).contains("add decide to clients.billing.may");
              });
      assertThat(send(http, "/v1/hit", KEY, "another token of some length").statusCode())
          .isEqualTo(401);
    }
  }

  @Test
  void an_envoy_request_that_does_both_needs_both() {
    String both =
        "{\"domain\":\"web\",\"descriptors\":[{\"entries\":[{\"key\":\"a\"}]},"
            + "{\"entries\":[{\"key\":\"b\"}]"
            + NEGATIVE
            + "}]}";
    try (RunningHttp http = RunningHttp.start(clients())) {
      assertThat(send(http, "/json", both, DECIDER).statusCode()).isEqualTo(403);
      assertThat(send(http, "/json", both, CHANGER).statusCode()).isEqualTo(403);
    }
  }

  private static java.net.http.HttpResponse<String> send(
      RunningHttp http, String path, String body, String token) {
    return http.send(request(http, path, body).header("Authorization", "Bearer " + token));
  }

  @Test
  void without_clients_a_program_on_this_machine_may_do_everything() {
    try (RunningHttp http = RunningHttp.start()) {
      changes()
          .forEach(
              (path, body) ->
                  assertThat(http.send(request(http, path, body)).statusCode())
                      .as(path)
                      .isEqualTo(200));
    }
  }

  @Test
  void without_clients_a_proxy_on_this_machine_lets_nobody_change_counts() {
    try (RunningHttp http = RunningHttp.start()) {
      for (String header : new String[] {"X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"}) {
        decisions()
            .forEach(
                (path, body) ->
                    assertThat(
                            http.send(request(http, path, body).header(header, "127.0.0.1"))
                                .statusCode())
                        .as(path)
                        .isNotEqualTo(403));
        changes()
            .forEach(
                (path, body) -> {
                  var refused = http.send(request(http, path, body).header(header, "127.0.0.1"));
                  assertThat(refused.statusCode()).as(path).isEqualTo(403);
                  assertThat(detail(refused)).contains("clients: everybody");
                });
      }
    }
  }

  @Test
  void everybody_may_change_counts_if_that_was_said() {
    Configuration open = RunningHttp.standard().withClients(Clients.everybody());
    try (RunningHttp http = RunningHttp.start(open)) {
      changes()
          .forEach(
              (path, body) ->
                  assertThat(
                          http.send(request(http, path, body).header("Via", "1.1 proxy"))
                              .statusCode())
                      .as(path)
                      .isEqualTo(200));
    }
  }
}
