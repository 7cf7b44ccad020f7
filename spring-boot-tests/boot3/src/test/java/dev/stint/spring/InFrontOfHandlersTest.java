package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.http.PathTable;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists, probes, CORS and wrong matches, in front of MVC and of WebFlux. */
class InFrontOfHandlersTest {

  private static final String ORIGIN = "https://shop.example";

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void listed_keys_apply_whatever_a_rule_counts_by(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            OpenApp.class,
            "stint.rules.api.limit=1/day",
            "stint.allow-keys=header:X-Api-Key:friend",
            "stint.block-keys=header:X-Api-Key:foe")) {
      assertThat(app.get("/orders/7").statusCode()).isEqualTo(200);
      assertThat(app.get("/orders/7").statusCode()).isEqualTo(429);
      assertThat(app.get("/orders/7", "X-Api-Key", "friend").statusCode()).isEqualTo(200);
      assertThat(app.get("/orders/7", "X-Api-Key", "foe").statusCode()).isEqualTo(403);
      assertThat(app.get("/orders/7", "X-Api-Key", "friend", "X-Api-Key", "x").statusCode())
          .isEqualTo(429);
      assertThat(app.get("/orders/7", "X-Api-Key", "x", "X-Api-Key", "foe").statusCode())
          .isEqualTo(403);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void probes_are_not_limited_by_one_property(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            OpenApp.class,
            "stint.rules.api.limit=1/day",
            "management.health.redis.enabled=false",
            "management.endpoint.health.probes.enabled=true",
            "management.endpoint.health.probes.add-additional-paths=true")) {
      for (int i = 0; i < 3; i++) {
        assertThat(app.get("/actuator/health").statusCode()).isEqualTo(200);
        assertThat(app.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
        assertThat(app.get("/livez").statusCode()).isEqualTo(200);
        assertThat(app.get("/readyz").statusCode()).isEqualTo(200);
      }
      assertThat(app.get("/orders/7").statusCode()).isEqualTo(200);
      int port = app.uri("/").getPort();
      assertThat(PathTable.get(port, "/actuator/health/../../orders/7")).doesNotContain(" 200");
      assertThat(app.get("/actuator").statusCode()).isEqualTo(429);
    }
    try (RunningApp app =
        RunningApp.of(
            kind,
            OpenApp.class,
            "stint.rules.probes.limit=1/day",
            "stint.rules.probes.match=/actuator/**",
            "management.health.redis.enabled=false")) {
      assertThat(app.get("/actuator/health").statusCode()).isEqualTo(200);
      assertThat(app.get("/actuator/health").statusCode()).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void the_path_of_health_is_limited_where_the_actuator_has_a_port_of_its_own(String kind)
      throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            OpenApp.class,
            "stint.rules.api.limit=1/day",
            "management.server.port=0",
            // Boot 4.1 makes one for each of Tomcat and Netty, which are both here.
            "spring.main.allow-bean-definition-overriding=true",
            "management.health.redis.enabled=false")) {
      for (int i = 0; i < 3; i++) {
        assertThat(app.getManaged("/actuator/health").statusCode()).isEqualTo(200);
      }
      assertThat(app.get("/actuator/health").statusCode()).isEqualTo(404);
      assertThat(app.get("/actuator/health").statusCode()).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void refusals_carry_the_headers_of_cors_and_preflights_are_not_charged(String kind)
      throws Exception {
    try (RunningApp app = RunningApp.of(kind, OpenApp.class, "stint.rules.api.limit=1/day")) {
      int port = app.uri("/").getPort();
      for (int i = 0; i < 3; i++) {
        String preflight = preflight(port, "/shared");
        assertThat(preflight).contains(" 200").contains("Access-Control-Allow-Origin: " + ORIGIN);
      }
      String allowed = shared(port, ORIGIN);
      assertThat(allowed).contains(" 200").contains("Access-Control-Allow-Origin: " + ORIGIN);
      String refused = shared(port, ORIGIN);
      assertThat(refused)
          .contains(" 429")
          .containsOnlyOnce("Access-Control-Allow-Origin: " + ORIGIN)
          .contains("Access-Control-Expose-Headers: Retry-After")
          .contains("quota-exceeded");
      assertThat(shared(port, "https://evil.example"))
          .contains(" 429")
          .doesNotContain("Access-Control-Allow-Origin")
          .contains("quota-exceeded");
      HttpResponse<String> options =
          app.send(
              HttpRequest.newBuilder(app.uri("/shared"))
                  .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                  .build());
      assertThat(options.statusCode()).isEqualTo(429);
    }
  }

  /** The response to a preflight, with headers that no browser adds. */
  private static String preflight(int port, String path, String... headers) throws Exception {
    return PathTable.send(
        port,
        "OPTIONS "
            + path
            + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nOrigin: "
            + ORIGIN
            + "\r\nAccess-Control-Request-Method: GET\r\n"
            + String.join("", headers)
            + "\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void passwords_cannot_be_guessed_by_preflights(String kind) throws Exception {
    try (RunningApp app = RunningApp.of(kind, HelloApp.class, "stint.rules.api.limit=1/day")) {
      int port = app.uri("/").getPort();
      String guess = "Authorization: Basic YW5uOmd1ZXNz\r\n";
      // MVC answers the error page of a preflight with 403; the header says that it was a login.
      assertThat(preflight(port, "/hello", guess)).contains("WWW-Authenticate: Basic");
      assertThat(preflight(port, "/hello", guess)).contains(" 429 ");
      assertThat(preflight(port, "/hello", "Cookie: SESSION=guess\r\n")).contains(" 429 ");
      assertThat(preflight(port, "/hello")).doesNotContain(" 429 ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void preflights_of_blocked_clients_are_refused(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind, OpenApp.class, "stint.rules.api.limit=1/day", "stint.block=127.0.0.1")) {
      assertThat(preflight(app.uri("/").getPort(), "/shared"))
          .contains(" 403 ")
          .contains("application/problem+json");
    }
  }

  private static String shared(int port, String origin) throws Exception {
    return PathTable.send(
        port,
        "GET /shared HTTP/1.1\r\nHost: a\r\nConnection: close\r\nOrigin: " + origin + "\r\n\r\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "GET|POST /x; 'GET|POST'; each method",
        "/a /b; '/a /b'; each pattern",
        "GTE /x; 'GTE'; did you mean 'GET'?",
        "GET POST /x; POST /x; must start with '/'",
        "/x/{id; '/x/{id'; Spring can parse",
        "x; x; must start with '/'"
      })
  void a_match_that_never_matches_is_refused_at_the_start(String match, String was, String cure) {
    WrongPropertyException wrong =
        wrong("stint.rules.api.limit=1/day", "stint.rules.api.match=" + match);
    assertThat(wrong.getMessage()).contains("stint.rules.api.match");
    assertThat(wrong.getMessage()).contains(was.strip());
    assertThat(wrong.getMessage()).contains(cure.strip());
  }

  private static WrongPropertyException wrong(String... properties) {
    try {
      RunningApp.servlet(OpenApp.class, properties).close();
    } catch (RuntimeException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof WrongPropertyException wrong) {
          return wrong;
        }
      }
      throw e;
    }
    throw new AssertionError("it started with " + String.join(", ", properties));
  }
}
