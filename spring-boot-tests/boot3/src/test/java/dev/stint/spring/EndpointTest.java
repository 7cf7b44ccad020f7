package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The endpoint {@code stint}. */
class EndpointTest {

  private static final String[] PROPERTIES = {
    "management.endpoints.web.exposure.include=stint",
    "stint.rules.api.limit=2/min; 100/day",
    "stint.rules.api.by=header:X-Api-Key",
    "stint.rules.api.match=GET /hello",
    "stint.rules.address.limit=5/min",
    "stint.rules.address.match=/orders/{id}",
    "stint.rules.address.mode=shadow",
    "stint.rules.user.limit=7/hour",
    "stint.rules.user.by=principal",
    "stint.rules.user.match=/private/**",
    "stint.rules.old.limit=1/hour",
    "stint.rules.old.mode=off"
  };

  private static String encoded(String key) {
    return URLEncoder.encode(key, StandardCharsets.UTF_8);
  }

  /** The same on both kinds of servers. */
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  @ExtendWith(OutputCaptureExtension.class)
  abstract static class OnAnyServer {

    private RunningApp app;

    abstract String kind();

    @BeforeAll
    void start() {
      app = RunningApp.of(kind(), HelloApp.class, PROPERTIES);
    }

    @AfterAll
    void stop() {
      app.close();
    }

    private HttpResponse<String> delete(String path) throws Exception {
      return app.send(HttpRequest.newBuilder(app.uri(path)).DELETE().build());
    }

    @Test
    void tells_of_the_store_and_the_rules() throws Exception {
      HttpResponse<String> response = app.get("/actuator/stint");
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body())
          .contains("\"store\":{\"kind\":\"memory\",\"state\":\"up\"}")
          .contains(
              "{\"name\":\"api\",\"mode\":\"enforce\",\"limits\":[\"2/minute\",\"100/day\"],"
                  + "\"by\":\"header:x-api-key\",\"match\":[\"GET /hello\"],"
                  + "\"phase\":\"before-authentication\"}")
          .contains("{\"name\":\"address\",\"mode\":\"shadow\"")
          .contains("\"phase\":\"after-authentication\"")
          .contains("\"name\":\"old\"");
    }

    @Test
    void tells_of_one_rule() throws Exception {
      assertThat(app.get("/actuator/stint/user").body())
          .startsWith("{\"name\":\"user\"")
          .contains("\"by\":\"principal\"", "\"phase\":\"after-authentication\"");
    }

    @Test
    void peeks_at_a_key_with_slashes_and_takes_nothing() throws Exception {
      String key = "team/a b?c#d+ü";
      assertThat(app.get("/hello", "X-Api-Key", "team/a b?c#d+").statusCode()).isEqualTo(200);
      String path = "/actuator/stint/api?key=" + encoded("team/a b?c#d+");
      assertThat(app.get(path).body()).contains("\"remaining\":1");
      assertThat(app.get(path).body()).contains("\"remaining\":1");
      assertThat(app.get("/actuator/stint/api?key=" + encoded(key)).body())
          .contains("\"remaining\":2");
    }

    @Test
    void peeks_at_an_address_of_the_newer_kind_by_its_network() throws Exception {
      HttpResponse<String> response =
          app.get("/actuator/stint/address?key=" + encoded("2001:db8::7"));
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).contains("\"remaining\":5");
    }

    @Test
    void resets_a_key_and_never_logs_it(CapturedOutput output) throws Exception {
      app.get("/hello", "X-Api-Key", "sekrit");
      app.get("/hello", "X-Api-Key", "sekrit");
      assertThat(app.get("/hello", "X-Api-Key", "sekrit").statusCode()).isEqualTo(429);
      assertThat(app.get("/actuator/stint/api?key=sekrit").body()).contains("\"allowed\":false");
      assertThat(delete("/actuator/stint/api?key=sekrit").statusCode()).isEqualTo(204);
      assertThat(app.get("/hello", "X-Api-Key", "sekrit").statusCode()).isEqualTo(200);
      assertThat(output.getAll()).doesNotContain("sekrit");
    }

    @Test
    void an_unknown_rule_is_not_found_and_the_known_ones_are_named() throws Exception {
      for (HttpResponse<String> response :
          List.of(app.get("/actuator/stint/apo?key=x"), delete("/actuator/stint/apo?key=x"))) {
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body())
            .contains("the name of a rule must be one of [address, api, user]: apo");
      }
    }

    @Test
    void a_reset_without_a_key_is_refused() throws Exception {
      HttpResponse<String> response = delete("/actuator/stint/api");
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(response.body()).contains("a key must be given");
    }
  }

  /** On Tomcat. */
  @Nested
  class OnTomcat extends OnAnyServer {
    @Override
    String kind() {
      return "servlet";
    }
  }

  /** On Netty. */
  @Nested
  class OnNetty extends OnAnyServer {
    @Override
    String kind() {
      return "webflux";
    }
  }

  @Test
  void it_is_not_there_unless_it_is_exposed() throws Exception {
    try (RunningApp app = RunningApp.servlet(HelloApp.class)) {
      assertThat(app.get("/actuator/stint").statusCode()).isEqualTo(404);
    }
  }
}
