package dev.stint.server.http;

import static dev.stint.server.http.RunningHttp.detail;
import static dev.stint.server.http.RunningHttp.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.net.CrossSite;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a browser marks as sent by another origin's page does nothing. */
class CrossSiteRequestsTest {

  private final RunningHttp http = RunningHttp.start();

  @AfterEach
  void close() {
    http.close();
  }

  @ParameterizedTest
  @CsvSource({
    "Sec-Fetch-Site, cross-site",
    "Sec-Fetch-Site, same-site",
    "Sec-Fetch-Site, something-new",
    "Origin, http://evil.example",
    "Origin, http://localhost:9090",
    "Origin, null"
  })
  void is_refused_wherever_it_would_be_charged_or_change_counts(String header, String value) {
    http.post("/v1/set", "{\"key\":\"alice\",\"n\":3}");
    for (Route route : Route.values()) {
      HttpResponse<String> response = http.send(request(route).header(header, value));

      boolean isHarmless = route.path().matches("/|/health|/ready|/openapi.json");
      assertThat(response.statusCode()).as(route.path()).isEqualTo(isHarmless ? 200 : 403);
      if (!isHarmless) {
        assertThat(detail(response)).isEqualTo(CrossSite.SENTENCE);
      }
    }
    assertThat(used()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"Sec-Fetch-Site, same-origin", "Sec-Fetch-Site, none", "Origin, here"})
  void is_taken_if_the_user_or_this_origin_sent_it(String header, String value) {
    String given = value.equals("here") ? http.address() : value;
    for (Route route : Route.values()) {
      assertThat(http.send(request(route).header(header, given)).statusCode())
          .as(route.path())
          .isNotEqualTo(403);
    }
  }

  @Test
  void a_host_name_that_was_rebound_is_refused() throws Exception {
    String body = "{\"key\":\"alice\"}";
    String answer =
        http.raw(
            "POST /v1/hit HTTP/1.1\r\nHost: evil.example:8080\r\nOrigin: http://evil.example:8080"
                + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n"
                + body);

    assertThat(answer).startsWith("HTTP/1.1 403 ");
    assertThat(used()).isZero();
  }

  private HttpRequest.Builder request(Route route) {
    String path =
        route
            .path()
            .replace("{policy}/{key}", "default/alice")
            .replace("check", "check?userId=alice");
    HttpRequest.Builder request = http.request(path);
    String body =
        switch (route) {
          case SET -> "{\"key\":\"alice\",\"n\":5}";
          case BATCH -> "{\"checks\":[{\"key\":\"alice\"}]}";
          case ENVOY -> "{\"domain\":\"a\",\"descriptors\":[{\"entries\":[{\"key\":\"a\"}]}]}";
          default -> "{\"key\":\"alice\"}";
        };
    return route.takesBody()
        ? request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body))
        : request;
  }

  private int used() {
    return json(http.get("/v1/keys/default/alice")).path("used").asInt();
  }
}
