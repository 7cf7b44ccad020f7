package dev.stint.server.http;

import static dev.stint.server.http.RunningHttp.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.PolicySettings;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimpleCheckTest {

  @Test
  void the_first_check_is_answered_exactly_so() {
    try (RunningHttp http = RunningHttp.start()) {
      HttpResponse<String> response = http.get("/check?userId=alice");

      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("content-type")).contains("application/json");
      assertThat(response.body()).isEqualTo("{\"allowed\":true,\"currentCount\":1,\"ttl\":60}");
    }
  }

  @Test
  void the_sixth_is_refused_until_the_window_ends() {
    try (RunningHttp http = RunningHttp.start()) {
      for (int i = 0; i < 5; i++) {
        http.get("/check?userId=alice");
        http.time.advance(Duration.ofMillis(100));
      }

      HttpResponse<String> sixth = http.get("/check?userId=alice");

      assertThat(sixth.statusCode()).isEqualTo(429);
      assertThat(sixth.headers().firstValue("Retry-After")).contains("60");
      assertThat(sixth.headers().firstValue("RateLimit")).contains("\"default\";r=0;t=60");
      assertThat(sixth.body()).isEqualTo("{\"allowed\":false,\"currentCount\":6,\"ttl\":60}");
      http.time.advance(Duration.ofMillis(59_500));
      assertThat(http.get("/check?userId=alice").body())
          .isEqualTo("{\"allowed\":true,\"currentCount\":1,\"ttl\":60}");
    }
  }

  /** {@code floor(epochSeconds / windowSize)}, as the document of RLaaS has it. */
  @Test
  void the_fixed_window_of_rlaas_ends_by_the_clock(@TempDir Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve(ConfigFile.NAME),
            "rate-limiter: {use-algo: fixed-window-algo, window-size: 60, max-requests: 5}");
    Configuration rlaas = ConfigFile.read(file, Map.of()).configuration();
    long minute = 1_700_000_100_000_000L / 60_000_000 * 60_000_000;
    try (RunningHttp http = RunningHttp.start(RunningHttp.onlyHttp(rlaas))) {
      http.time.setMicros(minute + 59_000_000);
      for (int i = 1; i <= 5; i++) {
        assertThat(http.get("/check?userId=alice").body())
            .isEqualTo("{\"allowed\":true,\"currentCount\":" + i + ",\"ttl\":1}");
      }
      assertThat(http.get("/check?userId=alice").body())
          .isEqualTo("{\"allowed\":false,\"currentCount\":6,\"ttl\":1}");

      http.time.setMicros(minute + 61_000_000);
      for (int i = 1; i <= 5; i++) {
        assertThat(http.get("/check?userId=alice").body())
            .isEqualTo("{\"allowed\":true,\"currentCount\":" + i + ",\"ttl\":59}");
      }
      assertThat(http.get("/check?userId=alice").statusCode()).isEqualTo(429);
    }
  }

  /** So that the sixth of six requests in a row is refused at any time. */
  @Test
  void the_window_without_any_configuration_begins_with_the_first_request() {
    long minute = 1_700_000_100_000_000L / 60_000_000 * 60_000_000;
    try (RunningHttp http = RunningHttp.start()) {
      http.time.setMicros(minute + 59_000_000);
      for (int i = 0; i < 5; i++) {
        assertThat(http.get("/check?userId=alice").statusCode()).isEqualTo(200);
      }

      http.time.setMicros(minute + 61_000_000);

      assertThat(http.get("/check?userId=alice").statusCode()).isEqualTo(429);
    }
  }

  @Test
  void a_window_by_the_clock_is_told_to_its_end_and_not_from_the_first_request() {
    Limit byTheClock = Limit.fixedWindow(5, Duration.ofSeconds(60)).countingDenied();
    try (RunningHttp http = RunningHttp.start(defaulting(byTheClock))) {
      http.time.setMicros(1_700_000_100_000_000L / 60_000_000 * 60_000_000 + 45_500_000);

      assertThat(http.get("/check?userId=alice").body())
          .isEqualTo("{\"allowed\":true,\"currentCount\":1,\"ttl\":15}");
    }
  }

  @Test
  void a_denied_check_counts_itself_also_where_it_is_not_charged() {
    Limit sliding = Limit.slidingLog(2, Duration.ofSeconds(60));
    try (RunningHttp http = RunningHttp.start(defaulting(sliding))) {
      http.get("/check?userId=alice");
      http.time.advance(Duration.ofSeconds(10));
      http.get("/check?userId=alice");
      http.time.advance(Duration.ofSeconds(10));

      http.get("/check?userId=alice");
      HttpResponse<String> denied = http.get("/check?userId=alice");

      assertThat(denied.body()).isEqualTo("{\"allowed\":false,\"currentCount\":3,\"ttl\":50}");
      assertThat(denied.headers().firstValue("Retry-After")).contains("40");
    }
  }

  @Test
  void a_quota_lives_for_ever() {
    try (RunningHttp http = RunningHttp.start(defaulting(Limit.quota(1)))) {
      assertThat(http.get("/check?userId=alice").body())
          .isEqualTo("{\"allowed\":true,\"currentCount\":1,\"ttl\":-1}");
    }
  }

  @Test
  void a_user_is_the_same_key_on_every_path() {
    try (RunningHttp http = RunningHttp.start()) {
      http.get("/check?x=1&userId=j%C3%BCrgen+m%2F&y");

      assertThat(json(http.get("/v1/keys/default/j%C3%BCrgen%20m%2F")).path("used").asInt())
          .isEqualTo(1);
    }
  }

  @Test
  void a_user_may_be_sent_as_plain_utf8_as_curl_does() throws Exception {
    try (RunningHttp http = RunningHttp.start()) {
      http.raw("GET /check?userId=\u00c3\u00bc HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

      assertThat(json(http.get("/v1/keys/default/%C3%BC")).path("used").asInt()).isEqualTo(1);
    }
  }

  @Test
  void another_policy_may_be_named() {
    try (RunningHttp http = RunningHttp.start(RunningHttp.with("api", "10/minute"))) {
      assertThat(http.get("/check?userId=alice&policy=api").body())
          .isEqualTo("{\"allowed\":true,\"currentCount\":1,\"ttl\":6}");
    }
  }

  private static Configuration defaulting(Limit limit) {
    return RunningHttp.standard()
        .withPolicies(Map.of(Configuration.DEFAULT_POLICY, PolicySettings.of(List.of(limit))));
  }
}
