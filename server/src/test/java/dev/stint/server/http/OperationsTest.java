package dev.stint.server.http;

import static dev.stint.server.http.RunningHttp.detail;
import static dev.stint.server.http.RunningHttp.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.http.HeaderFormat;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.config.StoreSettings;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OperationsTest {

  private RunningHttp http;

  @BeforeEach
  void start() {
    http = RunningHttp.start(RunningHttp.with("api", "10/minute burst 4; 100/day fixed-window"));
  }

  @AfterEach
  void stop() {
    http.close();
  }

  @Test
  void a_hit_of_the_default_policy_is_answered_with_every_number() {
    HttpResponse<String> response = http.post("/v1/hit", "{\"key\":\"alice\"}");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type")).contains("application/json");
    assertThat(response.body())
        .isEqualTo(
            "{\"allowed\":true,\"policy\":\"default\","
                + "\"limit\":\"5/minute fixed-window-per-key counting-denied\",\"amount\":5,"
                + "\"used\":1,\"remaining\":4,\"nextAfter\":60,\"resetAfter\":60}");
  }

  @Test
  void a_refusal_says_when_to_come_back_and_then_it_fits() {
    http.post("/v1/hit", "{\"policy\":\"api\",\"key\":\"alice\",\"cost\":4}");
    http.time.advanceMicros(1_250_000);

    HttpResponse<String> refused =
        http.post("/v1/hit", "{\"policy\":\"api\",\"key\":\"alice\",\"cost\":1}");

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(json(refused).path("retryAfter").decimalValue()).isEqualByComparingTo("4.75");
    assertThat(refused.headers().firstValue("Retry-After")).contains("5");
    assertThat(json(refused).path("limit").asText()).isEqualTo("10/minute burst 4");
    http.time.advanceMicros(4_750_000);
    assertThat(http.post("/v1/hit", "{\"policy\":\"api\",\"key\":\"alice\"}").statusCode())
        .isEqualTo(200);
  }

  @Test
  void every_limit_of_a_policy_tells_its_own_numbers() {
    String body = http.post("/v1/hit", "{\"policy\":\"api\",\"key\":\"alice\",\"cost\":3}").body();

    assertThat(json(body).path("limits").size()).isEqualTo(2);
    assertThat(json(body).path("limits").path(1).toString())
        .isEqualTo(
            "{\"name\":\"api.day\",\"allowed\":true,\"limit\":\"100/day fixed-window\","
                + "\"amount\":100,\"used\":3,\"remaining\":97,\"nextAfter\":"
                + json(body).path("limits").path(1).path("nextAfter")
                + ",\"resetAfter\":"
                + json(body).path("limits").path(1).path("resetAfter")
                + "}");
  }

  @Test
  void the_header_fields_have_the_numbers_of_the_decision() {
    HttpResponse<String> response =
        http.post("/v1/hit", "{\"policy\":\"api\",\"key\":\"alice\",\"cost\":3}");

    String policies = response.headers().firstValue("RateLimit-Policy").orElseThrow();
    assertThat(Parser.parseList(policies).serialize())
        .isEqualTo("\"api.minute\";q=10;w=60, \"api.day\";q=100;w=86400");
    String limit = response.headers().firstValue("RateLimit").orElseThrow();
    assertThat(Parser.parseList(limit).serialize())
        .isEqualTo("\"api.minute\";r=" + json(response).path("remaining") + ";t=6");
    assertThat(json(response).path("nextAfter").asInt()).isEqualTo(6);
  }

  @Test
  void a_cost_above_the_limit_never_fits_and_no_time_to_come_back_is_told() {
    HttpResponse<String> response =
        http.post("/v1/hit", "{\"policy\":\"api\",\"key\":\"alice\",\"cost\":9007199254740991}");

    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(json(response).path("neverFits").asBoolean()).isTrue();
    assertThat(json(response).has("retryAfter")).isFalse();
    assertThat(response.headers().firstValue("Retry-After")).isEmpty();
  }

  @Test
  void a_peek_takes_nothing() {
    http.post("/v1/peek", "{\"key\":\"alice\",\"cost\":5}");

    assertThat(used("alice")).isZero();
  }

  @Test
  void limits_of_the_request_need_no_policy() {
    HttpResponse<String> response =
        http.post("/v1/hit", "{\"limits\":\"2/hour; 10/day\",\"key\":\"alice\",\"cost\":2}");

    assertThat(json(response).has("policy")).isFalse();
    assertThat(json(response).path("limit").asText()).isEqualTo("2/hour");
    assertThat(json(response).path("limits").path(0).has("name")).isFalse();
    assertThat(
            http.post("/v1/hit", "{\"limits\":\"2/hour; 10/day\",\"key\":\"alice\"}").statusCode())
        .isEqualTo(429);
  }

  @Test
  void a_quota_has_no_times_to_wait_for() {
    HttpResponse<String> response =
        http.post("/v1/hit", "{\"limits\":\"3 total\",\"key\":\"alice\"}");

    assertThat(response.body())
        .isEqualTo(
            "{\"allowed\":true,\"limit\":\"3 total\",\"amount\":3,\"used\":1,\"remaining\":2}");
  }

  @Test
  void inc_charges_without_asking() {
    assertThat(json(http.post("/v1/inc", "{\"key\":\"alice\",\"n\":7}")).path("used").asInt())
        .isEqualTo(7);
    assertThat(http.post("/v1/hit", "{\"key\":\"alice\"}").statusCode()).isEqualTo(429);
  }

  @Test
  void inc_and_refund_without_a_number_are_about_one() {
    http.post("/v1/inc", "{\"key\":\"alice\"}");
    http.post("/v1/inc", "{\"key\":\"alice\"}");

    assertThat(json(http.post("/v1/refund", "{\"key\":\"alice\"}")).path("used").asInt())
        .isEqualTo(1);
  }

  @Test
  void a_refund_never_goes_below_zero() {
    http.post("/v1/hit", "{\"key\":\"alice\",\"cost\":2}");

    assertThat(http.post("/v1/refund", "{\"key\":\"alice\",\"n\":5}").body())
        .contains("\"used\":0,\"remaining\":5");
  }

  @Test
  void set_makes_the_count_a_number_and_zero_is_one() {
    assertThat(json(http.post("/v1/set", "{\"key\":\"alice\",\"n\":4}")).path("remaining").asInt())
        .isEqualTo(1);
    assertThat(json(http.post("/v1/set", "{\"key\":\"alice\",\"n\":0}")).path("remaining").asInt())
        .isEqualTo(5);
  }

  @Test
  void reset_forgets() {
    http.post("/v1/hit", "{\"key\":\"alice\",\"cost\":5}");

    HttpResponse<String> reset = http.post("/v1/reset", "{\"key\":\"alice\"}");

    assertThat(json(reset).path("used").asInt()).isZero();
    assertThat(http.post("/v1/hit", "{\"key\":\"alice\"}").statusCode()).isEqualTo(200);
  }

  @Test
  void a_state_is_read_and_nothing_taken() {
    http.post("/v1/hit", "{\"policy\":\"api\",\"key\":\"alice\",\"cost\":2}");
    http.get("/v1/keys/api/alice");

    HttpResponse<String> state = http.get("/v1/keys/api/alice");

    assertThat(state.statusCode()).isEqualTo(200);
    assertThat(state.body())
        .startsWith(
            "{\"policy\":\"api\",\"limit\":\"10/minute burst 4\",\"amount\":10,\"used\":2,"
                + "\"remaining\":2,\"nextAfter\":6,\"resetAfter\":12,\"limits\":[");
    assertThat(json(state).has("allowed")).isFalse();
  }

  @Test
  void keys_in_paths_are_percent_encoded() {
    http.post("/v1/hit", "{\"key\":\"a/b\\u0000+\\u00fc\\ud83d\\ude00\",\"cost\":3}");

    assertThat(used("a%2Fb%00+%C3%BC%F0%9F%98%80")).isEqualTo(3);
  }

  @Test
  void a_shadow_policy_lets_pass_says_so_and_sends_no_header_fields() {
    PolicySettings watching =
        new PolicySettings(
            Limit.parseAll("1/hour"),
            false,
            true,
            OnStoreError.LOCAL,
            HeaderFormat.IETF,
            List.of(),
            Optional.empty());
    try (RunningHttp shadow = RunningHttp.start(RunningHttp.with("watching", watching))) {
      shadow.post("/v1/hit", "{\"policy\":\"watching\",\"key\":\"alice\"}");

      HttpResponse<String> second =
          shadow.post("/v1/hit", "{\"policy\":\"watching\",\"key\":\"alice\"}");

      assertThat(second.statusCode()).isEqualTo(200);
      assertThat(second.body())
          .contains("\"allowed\":true", "\"shadow\":true,\"wouldRefuse\":true");
      assertThat(second.headers().map()).doesNotContainKeys("ratelimit", "retry-after");
    }
  }

  @Test
  void what_is_no_question_fails_where_the_store_is_away_and_questions_do_not() {
    Configuration away = RunningHttp.standard().withStore(StoreSettings.at("redis://127.0.0.1:1"));
    try (RunningHttp degraded = RunningHttp.startAsConfigured(away)) {
      HttpResponse<String> told = degraded.post("/v1/inc", "{\"key\":\"alice\"}");
      HttpResponse<String> asked = degraded.post("/v1/hit", "{\"key\":\"alice\"}");
      HttpResponse<String> batch =
          degraded.post("/v1/batch", "{\"checks\":[{\"key\":\"bob\"},{\"key\":\"\"}]}");

      assertThat(told.statusCode()).isEqualTo(503);
      assertThat(detail(told)).startsWith("the store cannot be reached");
      assertThat(asked.statusCode()).isEqualTo(200);
      assertThat(asked.body()).contains("\"degraded\":true,\"reason\":\"");
      assertThat(json(batch).path("results").path(0).path("degraded").asBoolean()).isTrue();
      assertThat(json(batch).path("results").path(1).path("status").asInt()).isEqualTo(400);
      assertThat(degraded.get("/check?userId=carol").body())
          .isEqualTo("{\"allowed\":true,\"currentCount\":1,\"ttl\":60}");
    }
  }

  @Test
  void other_header_fields_are_a_matter_of_the_policy() {
    PolicySettings github =
        new PolicySettings(
            List.of(Limit.fixedWindowPerKey(5, Duration.ofMinutes(1))),
            false,
            false,
            OnStoreError.LOCAL,
            HeaderFormat.GITHUB,
            List.of(),
            Optional.empty());
    try (RunningHttp other =
        RunningHttp.start(RunningHttp.standard().withPolicies(Map.of("default", github)))) {
      HttpResponse<String> response = other.post("/v1/hit", "{\"key\":\"alice\"}");

      assertThat(response.headers().firstValue("X-RateLimit-Remaining")).contains("4");
    }
  }

  private long used(String encodedKey) {
    return json(http.get("/v1/keys/default/" + encodedKey)).path("used").asLong();
  }

  @Test
  void limits_of_the_request_have_a_name_of_their_own_in_headers() {
    HttpResponse<String> one = http.post("/v1/hit", "{\"limits\":\"2/hour\",\"key\":\"alice\"}");
    HttpResponse<String> two =
        http.post("/v1/hit", "{\"limits\":\"2/hour; 10/day\",\"key\":\"bob\"}");

    assertThat(one.headers().firstValue("RateLimit-Policy")).hasValue("\"request\";q=2;w=3600");
    assertThat(two.headers().firstValue("RateLimit")).hasValue("\"request.hour\";r=1;t=1800");
  }
}
