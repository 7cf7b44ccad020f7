package dev.stint.server.http;

import static dev.stint.server.http.RunningHttp.detail;
import static dev.stint.server.http.RunningHttp.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BatchTest {

  private RunningHttp http;

  @BeforeEach
  void start() {
    http = RunningHttp.start();
  }

  @AfterEach
  void stop() {
    http.close();
  }

  @Test
  void each_check_is_decided_on_its_own_and_in_order() {
    HttpResponse<String> response =
        http.post(
            "/v1/batch",
            """
            {"checks":[
              {"key":"alice","cost":4},
              {"key":"alice","cost":2},
              {"op":"peek","key":"bob","cost":5},
              {"op":"hit","key":"bob"},
              {"limits":"1/day","key":"bob"}
            ]}""");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(statuses(response)).isEqualTo("200 429 200 200 200");
    assertThat(json(response).path("results").path(3).path("used").asInt()).isEqualTo(1);
  }

  @Test
  void a_wrong_check_says_so_and_harms_no_other() {
    HttpResponse<String> response =
        http.post(
            "/v1/batch",
            """
            {"checks":[{"key":"alice"},
              {"key":"alice","cost":0,"x":{"y":[1,{}]}},
              {"key":"alice","op":"hti"},
              {"policy":"nobody","key":"alice"},
              null,
              [{"key":"alice"}],
              {"key":{"deep":[1]}},
              {"key":"alice"}]}""");

    assertThat(statuses(response)).isEqualTo("200 400 400 400 400 400 400 200");
    JsonNode results = json(response).path("results");
    assertThat(results.path(1).path("detail").asText())
        .isEqualTo(
            "line 2, column 25: cost must be a whole number from 1 to 9007199254740991, was 0");
    assertThat(results.path(2).path("detail").asText())
        .isEqualTo("op must be hit or peek, was 'hti'; did you mean 'hit'?");
    assertThat(results.path(4).path("detail").asText())
        .isEqualTo("line 5, column 3: a check must be an object, was null");
    assertThat(results.path(7).path("used").asInt()).isEqualTo(2);
  }

  @Test
  void no_checks_have_no_results() {
    assertThat(http.post("/v1/batch", "{\"checks\":[]}").body()).isEqualTo("{\"results\":[]}");
  }

  @Test
  void a_thousand_checks_are_decided() {
    HttpResponse<String> response = http.post("/v1/batch", checks(1000));

    assertThat(json(response).path("results").size()).isEqualTo(1000);
    assertThat(json(response).path("results").path(999).path("status").asInt()).isEqualTo(429);
  }

  @Test
  void one_more_is_refused_and_nobody_is_charged() {
    HttpResponse<String> response = http.post("/v1/batch", checks(1001));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(detail(response))
        .isEqualTo(
            "checks must be at most 1000, were more; nothing was charged; send several batches");
    assertThat(json(http.get("/v1/keys/default/alice")).path("used").asInt()).isZero();
  }

  @Test
  void a_batch_that_breaks_off_charges_nobody() {
    HttpResponse<String> response =
        http.post("/v1/batch", "{\"checks\":[{\"key\":\"alice\"},{\"key\":\"alice\"}");

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(http.get("/v1/keys/default/alice")).path("used").asInt()).isZero();
  }

  @Test
  void a_large_batch_that_breaks_off_charges_nobody() {
    String whole = checks(1000);
    HttpResponse<String> response = http.post("/v1/batch", whole.substring(0, whole.length() - 1));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(http.get("/v1/keys/default/alice")).path("used").asInt()).isZero();
  }

  @Test
  void requests_behind_a_large_batch_are_answered_after_it_and_in_order() throws IOException {
    String large = checks(1000);
    String small = checks(2);
    String answers =
        http.raw(
            post(large, "keep-alive")
                + post(small, "keep-alive")
                + post(large, "keep-alive")
                + post("{", "close"));

    int first = answers.indexOf("HTTP/1.1 200 OK");
    int second = answers.indexOf("HTTP/1.1 200 OK", first + 1);
    int third = answers.indexOf("HTTP/1.1 200 OK", second + 1);
    int last = answers.indexOf("HTTP/1.1 400");
    assertThat(answers.substring(first, second).split("\"status\"", -1)).hasSize(1001);
    assertThat(answers.substring(second, third).split("\"status\"", -1)).hasSize(3);
    assertThat(answers.substring(third, last).split("\"status\"", -1)).hasSize(1001);
  }

  @Test
  void the_answer_to_a_large_batch_is_the_same_as_to_small_ones() {
    String small = http.post("/v1/batch", checks(1)).body();
    JsonNode results = json(http.post("/v1/batch", checks(1000))).path("results");

    JsonNode alone = json(small).path("results").path(0);
    assertThat(results.path(0).path("used").asInt()).isEqualTo(alone.path("used").asInt() + 1);
    assertThat(results.path(0).fieldNames())
        .toIterable()
        .containsExactlyElementsOf(alone::fieldNames);
  }

  private static String post(String body, String connection) {
    return "POST /v1/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        + "Connection: "
        + connection
        + "\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private static String checks(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "{\"key\":\"alice\"}")
        .collect(Collectors.joining(",", "{\"checks\":[", "]}"));
  }

  private static String statuses(HttpResponse<String> response) {
    StringBuilder statuses = new StringBuilder();
    json(response).path("results").forEach(one -> statuses.append(one.path("status")).append(' '));
    return statuses.toString().strip();
  }
}
