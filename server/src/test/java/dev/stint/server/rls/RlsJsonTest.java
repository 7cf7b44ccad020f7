package dev.stint.server.rls;

import static dev.stint.server.rls.Rules.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.Bounds;
import dev.stint.server.config.Configuration;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.server.net.Permissions;
import dev.stint.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RlsJsonTest {

  private static final String ONE =
      "{\"domain\":\"shop\",\"descriptors\":[{\"entries\":[{\"key\":\"user\",\"value\":\"a\"}]}]}";

  private final Configuration configuration =
      Configuration.standard().withRls(Rules.domain(key("user").perMinute(1)));
  private final Engine engine =
      new Engine(configuration, Stores.inMemory(ManualTime.create()), Watch.NOBODY);
  private final RlsJson json = new RlsJson(engine, Bounds.standard());

  @AfterEach
  void close() {
    engine.close();
  }

  private RlsJson.Reply post(String body) {
    return post(body.getBytes(StandardCharsets.UTF_8));
  }

  private RlsJson.Reply post(byte[] body) {
    return json.answer(body, Permissions.all()).toCompletableFuture().join();
  }

  private void assertRefused(String body, String detail) {
    RlsJson.Reply reply = post(body);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.contentType()).isEqualTo("application/problem+json");
    assertThat(reply.body())
        .isEqualTo(
            "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,\"detail\":\""
                + detail
                + "\"}");
  }

  @Test
  void answers_200_with_the_same_message_as_on_the_wire() {
    RlsJson.Reply reply = post(ONE);
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.contentType()).isEqualTo("application/json");
    assertThat(reply.body())
        .isEqualTo(
            "{\"overallCode\":\"OK\",\"statuses\":[{\"code\":\"OK\",\"currentLimit\":"
                + "{\"requestsPerUnit\":1,\"unit\":\"MINUTE\"},"
                + "\"durationUntilReset\":\"60s\"}]}");
  }

  @Test
  void answers_429_when_it_is_over_the_limit() {
    post(ONE);
    RlsJson.Reply reply = post(ONE);
    assertThat(reply.status()).isEqualTo(429);
    assertThat(reply.body()).contains("\"overallCode\":\"OVER_LIMIT\"");
  }

  @Test
  void takes_names_with_underscores_and_numbers_as_text() {
    RlsJson.Reply reply =
        post(
            "{\"domain\":\"shop\",\"hits_addend\":2,"
                + "\"descriptors\":[{\"entries\":[{\"key\":\"user\"}],\"hitsAddend\":\"0\"}]}");
    assertThat(reply.status()).isEqualTo(200);
  }

  @Test
  void refuses_what_the_wire_refuses_with_the_same_sentence() {
    assertRefused("{}", "domain must not be empty: name a domain of the configuration");
  }

  @Test
  void refuses_what_is_no_json() {
    assertThat(post("{\"domain\":").status()).isEqualTo(400);
    assertThat(post("").status()).isEqualTo(400);
    assertThat(post("[]").status()).isEqualTo(400);
    assertThat(post("null").status()).isEqualTo(400);
    assertThat(post("{\"domain\":{}}").status()).isEqualTo(400);
  }

  @Test
  void refuses_unknown_fields_and_names_them() {
    RlsJson.Reply reply = post("{\"domian\":\"shop\"}");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body())
        .contains("the body must be an envoy.service.ratelimit.v3.RateLimitRequest as JSON: ")
        .contains("domian");
  }

  @Test
  void refuses_deep_nesting() {
    assertThat(post("{\"descriptors\":" + "[".repeat(100_000)).status()).isEqualTo(400);
    assertThat(post("{\"x\":" + "[".repeat(100_000)).status()).isEqualTo(400);
  }

  @Test
  void refuses_bytes_that_are_no_text() {
    byte[] broken = ONE.getBytes(StandardCharsets.ISO_8859_1);
    broken[ONE.indexOf("\"a\"") + 1] = (byte) 0xff;
    assertThat(post(broken).body()).contains("the body must be UTF-8");
  }

  @Test
  void refuses_halves_of_characters_and_takes_whole_ones() {
    assertRefused(
        ONE.replace("\"a\"", "\"\\ud800\""),
        "keys and values must not contain halves of surrogate pairs");
    assertThat(post(ONE.replace("\"a\"", "\"\\ud83d\\ude00\"")).status()).isEqualTo(200);
  }

  @Test
  void what_is_wrong_is_not_sent_back_at_length() {
    String units =
        ONE.replace("}]}]}", "}],\"limit\":{\"unit\":\"" + "9".repeat(900_000) + "\"}}]}");
    RlsJson.Reply reply = post(units);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).hasSizeLessThan(1000);
  }
}
