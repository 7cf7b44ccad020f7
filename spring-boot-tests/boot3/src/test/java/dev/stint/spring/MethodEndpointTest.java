package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The budgets of methods in the endpoint {@code stint}. */
class MethodEndpointTest {

  @Import({HelloApp.class, Methods.class})
  static class App {}

  @RestController
  static class Methods {

    @GetMapping("/client")
    @RateLimited("2/min")
    String client() {
      return "client";
    }

    @GetMapping("/users/{user}")
    @RateLimited(value = "2/min; 100/day", by = "#user", name = "user")
    String user(@PathVariable("user") String user) {
      return user;
    }

    @GetMapping("/others/{id}")
    @RateLimited(value = "2/min; 100/day", by = "#id", name = "user")
    String other(@PathVariable("id") String id) {
      return id;
    }

    @GetMapping("/everyone")
    @RateLimited(value = "2/min", by = "all", name = "everyone", shadow = true)
    String everyone() {
      return "everyone";
    }
  }

  /** The same on both kinds of servers. */
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class OnAnyServer {

    private RunningApp app;

    abstract String kind();

    @BeforeAll
    void start() {
      app =
          RunningApp.of(
              kind(),
              App.class,
              "management.endpoints.web.exposure.include=stint",
              "stint.rules.api.limit=1000/min");
    }

    @AfterAll
    void stop() {
      app.close();
    }

    private String body(String path) throws Exception {
      return app.get("/actuator/stint" + path).body();
    }

    private int delete(String path) throws Exception {
      return app.send(HttpRequest.newBuilder(app.uri("/actuator/stint" + path)).DELETE().build())
          .statusCode();
    }

    @Test
    void tells_of_rules_and_methods() throws Exception {
      assertThat(body(""))
          .contains("{\"name\":\"api\",\"mode\":\"enforce\",\"limits\":[\"1000/minute\"]")
          .contains(
              "{\"name\":\"MethodEndpointTest.Methods.client\",\"mode\":\"enforce\","
                  + "\"limits\":[\"2/minute\"],\"by\":\"address\","
                  + "\"methods\":[\"MethodEndpointTest.Methods.client\"]}")
          .contains(
              "{\"name\":\"everyone\",\"mode\":\"shadow\",\"limits\":[\"2/minute\"],"
                  + "\"by\":\"all\",\"methods\":[\"MethodEndpointTest.Methods.everyone\"]}");
    }

    @Test
    void tells_once_of_methods_that_share_a_budget() throws Exception {
      assertThat(body("/user"))
          .isEqualTo(
              "{\"name\":\"user\",\"mode\":\"enforce\",\"limits\":[\"2/minute\",\"100/day\"],"
                  + "\"by\":\"#id, #user\",\"methods\":[\"MethodEndpointTest.Methods.other\","
                  + "\"MethodEndpointTest.Methods.user\"]}");
    }

    @Test
    void peeks_at_an_argument_and_takes_nothing() throws Exception {
      app.get("/users/ann");
      assertThat(body("/user?key=ann")).isEqualTo(body("/user?key=ann"));
      assertThat(body("/user?key=ann"))
          .contains("\"remaining\":1,", "\"remaining\":99,")
          .containsOnlyOnce("\"limit\":\"2/minute");
      assertThat(body("/user?key=bob")).contains("\"remaining\":2,", "\"remaining\":100,");
    }

    @Test
    void resets_the_client_of_a_handler() throws Exception {
      app.get("/client");
      app.get("/client");
      assertThat(app.get("/client").statusCode()).isEqualTo(429);
      String name = "/MethodEndpointTest.Methods.client?key=127.0.0.1";
      assertThat(body(name)).contains("\"allowed\":false", "\"used\":2");
      assertThat(delete(name)).isEqualTo(204);
      assertThat(app.get("/client").statusCode()).isEqualTo(200);
    }

    @Test
    void one_budget_of_all_has_a_word_for_its_key() throws Exception {
      app.get("/everyone");
      assertThat(body("/everyone?key=all")).contains("\"used\":1");
      assertThat(delete("/everyone?key=all")).isEqualTo(204);
      assertThat(body("/everyone?key=all")).contains("\"used\":0");
      HttpResponse<String> wrong = app.get("/actuator/stint/everyone?key=ann");
      assertThat(wrong.statusCode()).isEqualTo(400);
      assertThat(wrong.body())
          .contains("the key of a budget that all callers share must be all: ann");
    }

    @Test
    void an_unknown_name_is_answered_with_those_of_methods_too() throws Exception {
      assertThat(body("/apo"))
          .contains("must be one of [MethodEndpointTest.Methods.client, api, everyone, user]: apo");
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
}
