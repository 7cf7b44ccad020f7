package dev.stint.server.http;

import static dev.stint.server.http.RunningHttp.detail;
import static dev.stint.server.http.RunningHttp.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way in which a request can be wrong, with the whole sentence. */
class RefusalsTest {

  private static RunningHttp http;

  @BeforeAll
  static void start() {
    http = RunningHttp.start(RunningHttp.with("api", "10/minute"));
  }

  @AfterAll
  static void stop() {
    http.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/v1/hit  |``| the body must be a JSON object, was empty; send one such as {\"key\":\"alice\"}",
        "/v1/hit  | [1] | line 1, column 1: the body must be an object such as {\"key\":\"alice\"}, was a list",
        "/v1/hit  | {\"key\":\"a\"} x | line 1, column 13: the body must be JSON in UTF-8, but is not at this place; fix it, nothing was done",
        "/v1/hit  | {\"key\":\"a\"} {} | line 1, column 13: the body must end with its object, but more follows; remove it",
        "/v1/hit  | {\"key\":\"a\" | line 1, column 11: the body must be JSON, but ends too early; fix it, nothing was done",
        "/v1/hit  | {} | key must be a text of 1 to 4096 bytes, was missing; give one such as alice",
        "/v1/hit  | {\"key\":\"\"} | key must be a text of 1 to 4096 bytes, was empty; give one such as alice",
        "/v1/hit  | {\"key\":7} | line 1, column 8: key must be a text, was a number; put it in quotation marks",
        "/v1/hit  | {\"key\":null} | line 1, column 8: key must be a text, was null; put it in quotation marks",
        "/v1/hit  | {\"key\":[\"a\"]} | line 1, column 8: key must be a text, was a list; put it in quotation marks",
        "/v1/hit  | {\"key\":\"a\\ud800\"} | key must be Unicode, but character 2 is half of a surrogate pair; send both halves",
        "/v1/hit  | {\"key\":\"\\udc00\\ud800\"} | key must be Unicode, but character 1 is half of a surrogate pair; send both halves",
        "/v1/hit  | {\"key\":\"a\",\"key\":\"b\"} | line 1, column 18: key must be given once, was given twice; remove one",
        "/v1/hit  | {\"key\":\"a\",\"cost\":1,\"cost\":1} | line 1, column 28: cost must be given once, was given twice; remove one",
        "/v1/hit  | {\"key\":\"a\",\"cots\":1} | line 1, column 12: unknown field 'cots'; did you mean 'cost'?",
        "/v1/hit  | {\"key\":\"a\",\"n\":1} | line 1, column 12: unknown field 'n'; fields are policy, limits, key, cost",
        "/v1/hit  | {\"key\":\"a\",\"cost\":0} | line 1, column 19: cost must be a whole number from 1 to 9007199254740991, was 0",
        "/v1/hit  | {\"key\":\"a\",\"cost\":-1} | line 1, column 19: cost must be a whole number from 1 to 9007199254740991, was -1",
        "/v1/hit  | {\"key\":\"a\",\"cost\":1.0} | line 1, column 19: cost must be a whole number from 1 to 9007199254740991, was 1.0",
        "/v1/hit  | {\"key\":\"a\",\"cost\":\"1\"} | line 1, column 19: cost must be a whole number from 1 to 9007199254740991, was a text",
        "/v1/hit  | {\"key\":\"a\",\"cost\":9007199254740992} | line 1, column 19: cost must be a whole number from 1 to 9007199254740991, was 9007199254740992",
        "/v1/hit  | {\"key\":\"a\",\"cost\":99999999999999999999} | line 1, column 19: cost must be a whole number from 1 to 9007199254740991, was 99999999999999999999",
        "/v1/hit  | {\"key\":\"a\",\"policy\":\"apo\"} | unknown policy 'apo'; did you mean 'api'?",
        "/v1/hit  | {\"key\":\"a\",\"policy\":\"zzz\"} | unknown policy 'zzz'; policies are default, api",
        "/v1/hit  | {\"key\":\"a\",\"policy\":\"_request\"} | unknown policy '_request'; policies are default, api",
        "/v1/hit  | {\"key\":\"a\",\"policy\":\"api\",\"limits\":\"1/day\"} | a request must have policy or limits, had both; remove one",
        "/v1/inc  | {\"key\":\"a\",\"n\":0} | line 1, column 16: n must be a whole number from 1 to 9007199254740991, was 0",
        "/v1/set  | {\"key\":\"a\"} | n must be a whole number from 0 to 9007199254740991, was missing",
        "/v1/reset| {\"key\":\"a\",\"n\":1} | line 1, column 12: unknown field 'n'; fields are policy, limits, key",
        "/v1/batch| {} | checks must be a list, was missing; send {\"checks\":[...]}",
        "/v1/batch| {\"checks\":1} | line 1, column 11: checks must be a list, was a number",
        "/v1/batch| {\"check\":[]} | line 1, column 2: unknown field 'check'; did you mean 'checks'?",
        "/v1/batch| {\"checks\":[],\"checks\":[]} | line 1, column 14: checks must be given once, was given twice; remove one",
      })
  void a_wrong_body_is_refused_with_what_must_be_what_was_and_the_cure(
      String path, String body, String sentence) {
    HttpResponse<String> response = http.post(path, body == null ? "" : body);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
    assertThat(detail(response)).isEqualTo(sentence);
    assertThat(json(response).path("title").asText()).isEqualTo("Bad Request");
    assertThat(json(http.get("/v1/keys/default/a")).path("used").asInt()).isZero();
  }

  @Test
  void limits_that_are_none_are_refused_with_the_place() {
    HttpResponse<String> response = http.post("/v1/hit", "{\"key\":\"a\",\"limits\":\"10/minit\"}");

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(detail(response))
        .startsWith("limits must be such as 10/minute; 100/day: ")
        .contains("did you mean 'minute'?");
  }

  @Test
  void limits_that_are_too_long_are_refused_before_they_are_read() {
    String limits = "10/minute;".repeat(60);

    HttpResponse<String> response =
        http.post("/v1/hit", "{\"key\":\"a\",\"limits\":\"" + limits + "\"}");

    assertThat(detail(response))
        .isEqualTo("limits must have at most 512 characters, had 600; make them a policy");
  }

  @Test
  void a_key_of_nearly_a_mebibyte_is_refused_with_its_length() {
    HttpResponse<String> response =
        http.post("/v1/hit", "{\"key\":\"" + "\u00fc".repeat(500_000) + "\"}");

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(detail(response))
        .isEqualTo("key must have at most 4096 bytes of UTF-8, had 1000000; shorten or hash it");
  }

  @Test
  void a_key_may_have_as_many_bytes_as_are_allowed_and_not_one_more() {
    assertThat(http.post("/v1/hit", "{\"key\":\"" + "k".repeat(4096) + "\"}").statusCode())
        .isEqualTo(200);
    assertThat(http.post("/v1/hit", "{\"key\":\"" + "k".repeat(4097) + "\"}").statusCode())
        .isEqualTo(400);
  }

  @Test
  void json_that_is_nested_too_deeply_is_refused() {
    HttpResponse<String> response = http.post("/v1/hit", "{\"key\":" + "[".repeat(100_000));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(detail(response)).contains("nested too deeply");
  }

  @Test
  void bytes_that_are_no_utf8_are_refused() throws Exception {
    String answer =
        http.raw(
            "POST /v1/hit HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 11\r\n\r\n"
                + "{\"key\":\"\u00ff\"}");

    assertThat(answer).startsWith("HTTP/1.1 400 Bad Request").contains("must be JSON in UTF-8");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/hitt | 404 | there is nothing at this path; did you mean '/v1/hit'?",
        "/nothing/like/it | 404 | there is nothing at this path; /openapi.json lists what there is",
        "/v1/hit/ | 404 | there is nothing at this path; did you mean '/v1/hit'?",
        "/v1/hit | 405 | /v1/hit must be asked by POST, was by GET",
        "/v1/keys/api | 404 | the path must be /v1/keys/{policy}/{key}, with two parts after keys, had one; write a slash within a key as %2F",
        "/v1/keys/api/a/b | 404 | the path must be /v1/keys/{policy}/{key}, with two parts after keys, had more; write a slash within a key as %2F",
        "/v1/keys/apo/a | 404 | unknown policy 'apo'; did you mean 'api'?",
        "/v1/keys/api/ | 400 | key must be a text of 1 to 4096 bytes, was empty; give one such as alice",
        "/v1/keys/api/%FF | 400 | key must be UTF-8, but has bytes that are not; encode it so before percent-encoding",
        "/v1/keys/api/%ED%A0%80 | 400 | key must be UTF-8, but has bytes that are not; encode it so before percent-encoding",
        "/check | 400 | userId must be a text of 1 to 4096 bytes, was missing; give one such as alice",
        "/check?userId= | 400 | userId must be a text of 1 to 4096 bytes, was empty; give one such as alice",
        "/check?userId | 400 | userId must be a text of 1 to 4096 bytes, was empty; give one such as alice",
        "/check?user=a&userIds=b | 400 | userId must be a text of 1 to 4096 bytes, was missing; give one such as alice",
        "/check?userId=a&userId=b | 400 | userId must be given once, was given twice; remove one",
        "/check?userId=a&policy=apo | 400 | unknown policy 'apo'; did you mean 'api'?",
      })
  void a_wrong_path_is_refused(String path, int status, String sentence) {
    HttpResponse<String> response = http.get(path);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(detail(response)).isEqualTo(sentence);
  }

  @Test
  void a_percent_sign_without_digits_is_refused() throws Exception {
    String answer =
        http.raw("GET /v1/keys/api/100% HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

    assertThat(answer)
        .startsWith("HTTP/1.1 400 Bad Request")
        .contains("key must be percent-encoded, but a % has no two hexadecimal digits; write %25");
  }

  @Test
  void a_wrong_method_is_told_the_right_ones() {
    HttpResponse<String> response = http.send(http.request("/health").DELETE());

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).contains("GET, HEAD");
  }

  @Test
  void a_head_of_a_check_is_not_charged() {
    HttpResponse<String> response =
        http.send(http.request("/check?userId=head").method("HEAD", BodyPublishers.noBody()));

    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).contains("GET");
    assertThat(json(http.get("/v1/keys/default/head")).path("used").asInt()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "text/plain,415",
    "application/x-www-form-urlencoded,415",
    "multipart/form-data; boundary=application/json,415",
    "text/plain;application/json,415",
    "application/jsonp,415",
    "'application/json, text/plain',415",
    "application/json;charset=utf-8,200",
    "Application/JSON ; charset=utf-8,200"
  })
  void a_body_must_be_sent_as_json(String type, int status) {
    HttpResponse<String> response =
        http.send(
            http.request("/v1/peek")
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString("{\"key\":\"a\"}")));

    assertThat(response.statusCode()).isEqualTo(status);
    if (status == 415) {
      assertThat(detail(response))
          .isEqualTo(
              "the body must be sent as application/json, was sent as "
                  + type
                  + "; add the header Content-Type: application/json");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/hit",
        "/v1/peek",
        "/v1/inc",
        "/v1/refund",
        "/v1/set",
        "/v1/reset",
        "/v1/batch",
        "/json"
      })
  void a_body_must_have_a_type_on_every_path(String path) {
    HttpResponse<String> response =
        http.send(http.request(path).POST(BodyPublishers.ofString("{\"key\":\"a\"}")));

    assertThat(response.statusCode()).isEqualTo(415);
    assertThat(detail(response))
        .isEqualTo(
            "the body must be sent as application/json, was sent without a Content-Type; add the"
                + " header Content-Type: application/json");
  }
}
