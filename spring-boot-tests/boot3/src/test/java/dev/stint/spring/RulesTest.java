package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules in properties, in front of MVC and of WebFlux. */
class RulesTest {

  /** Boot 4 cannot give an actuator its own port where Tomcat and Netty are both there, as here. */
  private static final String NETTY_ONLY =
      "spring.autoconfigure.exclude=org.springframework.boot.tomcat.autoconfigure.actuate.web"
          + ".server.TomcatReactiveManagementContextAutoConfiguration";

  private static String basic(String user, String password) {
    byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(both);
  }

  private static int status(RunningApp app, String path, String... headers) throws Exception {
    return app.get(path, headers).statusCode();
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void address_rules_protect_the_authentication_itself(String kind) throws Exception {
    try (RunningApp app = RunningApp.of(kind, HelloApp.class, "stint.rules.api.limit=2/min")) {
      String guess = basic("ann", "guess");
      assertThat(status(app, "/private/hello", "Authorization", guess)).isEqualTo(401);
      assertThat(status(app, "/private/hello", "Authorization", guess)).isEqualTo(401);
      assertThat(status(app, "/private/hello", "Authorization", guess)).isEqualTo(429);
      String right = basic("ann", "secret");
      assertThat(status(app, "/private/hello", "Authorization", right)).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void principal_rules_count_whoever_is_authenticated(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            HelloApp.class,
            "stint.rules.user.limit=1/min",
            "stint.rules.user.by=principal",
            "stint.rules.user.match=/private/**")) {
      String ann = basic("ann", "secret");
      String bob = basic("bob", "secret");
      String guess = basic("ann", "guess");
      assertThat(status(app, "/private/hello", "Authorization", guess)).isEqualTo(401);
      assertThat(status(app, "/private/hello", "Authorization", guess)).isEqualTo(401);
      assertThat(status(app, "/private/hello", "Authorization", ann)).isEqualTo(200);
      assertThat(status(app, "/private/hello", "Authorization", ann)).isEqualTo(429);
      assertThat(status(app, "/private/hello", "Authorization", bob)).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void failed_logins_alone_are_charged(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            HelloApp.class,
            "stint.rules.login.limit=2/min",
            "stint.rules.login.charge-on=401")) {
      String guess = basic("ann", "guess");
      for (int i = 0; i < 5; i++) {
        assertThat(status(app, "/hello")).isEqualTo(200);
      }
      assertThat(status(app, "/private/hello", "Authorization", guess)).isEqualTo(401);
      assertThat(status(app, "/private/hello", "Authorization", guess)).isEqualTo(401);
      assertThat(status(app, "/private/hello", "Authorization", guess)).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void the_settings_of_the_long_form_hold(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            HelloApp.class,
            "stint.trusted-proxies=127.0.0.1",
            "stint.allow=203.0.113.0/24",
            "stint.block=198.51.100.7",
            "stint.rules.orders.limit=10/min",
            "stint.rules.orders.match=GET /orders/{id}",
            "stint.rules.orders.cost=header('X-Batch-Size')",
            "stint.rules.orders.headers=legacy",
            "stint.rules.watched.limit=1/min",
            "stint.rules.watched.mode=shadow")) {
      HttpResponse<String> first =
          app.get("/orders/7", "X-Forwarded-For", "192.0.2.1", "X-Batch-Size", "6");
      assertThat(first.statusCode()).isEqualTo(200);
      assertThat(first.headers().firstValue("RateLimit-Remaining")).contains("4");
      HttpResponse<String> second =
          app.get("//orders/%37", "X-Forwarded-For", "192.0.2.1", "X-Batch-Size", "6");
      assertThat(second.statusCode()).isNotEqualTo(200);
      assertThat(status(app, "/orders/8", "X-Forwarded-For", "192.0.2.1", "X-Batch-Size", "6"))
          .isEqualTo(429);
      assertThat(status(app, "/orders/8", "X-Forwarded-For", "192.0.2.2")).isEqualTo(200);
      assertThat(status(app, "/hello", "X-Forwarded-For", "192.0.2.1")).isEqualTo(200);
      assertThat(status(app, "/orders/8", "X-Forwarded-For", "203.0.113.9", "X-Batch-Size", "99"))
          .isEqualTo(200);
      assertThat(status(app, "/hello", "X-Forwarded-For", "198.51.100.7")).isEqualTo(403);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_cost_that_cannot_be_computed_is_one_and_no_error(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            HelloApp.class,
            "stint.rules.range.limit=10/min",
            "stint.rules.range.match=/hello",
            "stint.rules.range.cost=header('X-Range').substring(6)",
            "stint.rules.part.limit=10/min",
            "stint.rules.part.match=/orders/*",
            "stint.rules.part.cost=10 / (header('X-Parts').length() - 1)")) {
      assertThat(status(app, "/hello", "X-Range", "short")).isEqualTo(200);
      assertThat(status(app, "/hello")).isEqualTo(200);
      assertThat(status(app, "/hello", "X-Range", "items=99999999999999999999")).isEqualTo(200);
      assertThat(status(app, "/orders/1", "X-Parts", "1")).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void an_actuator_on_a_port_of_its_own_is_not_limited(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            HelloApp.class,
            NETTY_ONLY,
            "management.server.port=0",
            "management.health.redis.enabled=false",
            "stint.rules.api.limit=1/min")) {
      for (int i = 0; i < 3; i++) {
        assertThat(app.getManaged("/actuator/health").statusCode()).isEqualTo(200);
      }
      assertThat(status(app, "/hello")).isEqualTo(200);
      assertThat(status(app, "/hello")).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_cost_may_look_at_every_part_of_a_request(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            HelloApp.class,
            "stint.rules.api.limit=10/min",
            "stint.rules.api.match=/hello",
            "stint.rules.api.cost=method == 'GET' and path == '/hello' and parameter('n') == '7'"
                + " and cookie('c') == 'x' ? 6 : 1")) {
      HttpResponse<String> all = app.get("/hello?n=7", "Cookie", "c=x");
      assertThat(all.headers().firstValue("RateLimit"))
          .hasValueSatisfying(left -> assertThat(left).contains("r=4"));
    }
  }
}
