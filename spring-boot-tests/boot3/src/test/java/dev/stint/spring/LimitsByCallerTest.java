package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.http.Request;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Limits and conditions that depend on the caller, in properties. */
class LimitsByCallerTest {

  /** The plans of an application. */
  static class Plans {
    final Map<String, String> rates = new ConcurrentHashMap<>();

    public String limitFor(String user) {
      return rates.get(user);
    }

    public Limit parsedFor(String user) {
      return Limit.parse(rates.get(user)); // fails for strangers
    }

    public Mono<String> later(String user) {
      return Mono.fromCallable(() -> rates.get(user)).subscribeOn(Schedulers.boundedElastic());
    }

    public CompletableFuture<List<Limit>> future(String user) {
      return CompletableFuture.supplyAsync(() -> Limit.parseAll(rates.get(user)));
    }

    public boolean isFree(String user) {
      return rates.get(user).startsWith("1/");
    }

    public String byRequest(Request request) {
      return request.header("X-Plan") + "/hour";
    }
  }

  /** An application with plans. */
  @Import(HelloApp.class)
  static class PlannedApp {
    @Bean
    Plans plans() {
      Plans plans = new Plans();
      plans.rates.put("ann", "1/hour fixed-window");
      plans.rates.put("bob", "3/hour fixed-window");
      return plans;
    }
  }

  private static String basic(String user) {
    byte[] both = (user + ":secret").getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(both);
  }

  private static HttpResponse<String> get(RunningApp app, String user) throws Exception {
    return app.get("/private/hello", "Authorization", basic(user));
  }

  private static String left(HttpResponse<String> response) {
    return response.headers().firstValue("RateLimit").orElse("none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_plan_of_a_bean_limits_its_caller(String kind) throws Exception {
    for (String call : List.of("limitFor", "parsedFor", "later", "future")) {
      try (RunningApp app =
          RunningApp.of(
              kind,
              PlannedApp.class,
              "stint.rules.api.limit=@plans." + call + "(#principal)",
              "stint.rules.api.by=address", // whose kind does not ask for the principal
              "stint.rules.api.match=/private/**")) {
        assertThat(left(get(app, "ann"))).as(call).contains("r=0");
        assertThat(get(app, "ann").statusCode()).as(call).isEqualTo(429);
        // The same address, and so the same budget: two of the three are left, less one.
        assertThat(left(get(app, "bob"))).as(call).contains("r=1");
        app.bean(Plans.class).rates.put("ann", "5/hour fixed-window");
        HttpResponse<String> next = get(app, "ann");
        assertThat(left(next)).as("a changed plan keeps the count").contains("r=2");
        assertThat(next.headers().firstValue("RateLimit-Policy")).contains("\"api\";q=5;w=3600");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_plan_that_cannot_be_found_is_neither_free_nor_an_error(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            PlannedApp.class,
            "stint.rules.api.limit=@plans.parsedFor(#key)",
            "stint.rules.api.fallback-limit=1/hour",
            "stint.rules.api.by=header:X-Key",
            "stint.rules.api.match=/hello",
            "stint.rules.strict.limit=@plans.later(#key)",
            "stint.rules.strict.by=header:X-Key",
            "stint.rules.strict.match=/orders/*")) {
      assertThat(app.get("/hello", "X-Key", "nobody").statusCode()).isEqualTo(200);
      assertThat(app.get("/hello", "X-Key", "nobody").statusCode()).isEqualTo(429);
      assertThat(app.get("/hello").statusCode()).as("without a key").isEqualTo(200);
      assertThat(left(app.get("/hello", "X-Key", "bob"))).contains("r=2");
      HttpResponse<String> unknown = app.get("/orders/1", "X-Key", "nobody");
      assertThat(unknown.statusCode()).isEqualTo(503);
      assertThat(unknown.headers().firstValue("Retry-After")).contains("1");
      assertThat(app.get("/orders/1", "X-Key", "bob").statusCode()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void conditions_say_whom_a_rule_is_for(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            PlannedApp.class,
            "stint.rules.free.limit=1/hour",
            "stint.rules.free.by=principal",
            "stint.rules.free.match=/private/**",
            "stint.rules.free.when=@plans.isFree(#principal)",
            "stint.rules.hello.limit=1/hour",
            "stint.rules.hello.match=/hello",
            "stint.rules.hello.unless=header('X-Internal') == 'yes'")) {
      assertThat(get(app, "ann").statusCode()).isEqualTo(200);
      assertThat(get(app, "ann").statusCode()).isEqualTo(429);
      assertThat(get(app, "bob").statusCode()).isEqualTo(200);
      assertThat(get(app, "bob").statusCode()).isEqualTo(200);
      assertThat(app.get("/hello").statusCode()).isEqualTo(200);
      assertThat(app.get("/hello").statusCode()).isEqualTo(429);
      assertThat(app.get("/hello", "X-Internal", "yes").statusCode()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void the_endpoint_shows_the_expression_and_asks_which_limit_is_meant(String kind)
      throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            PlannedApp.class,
            "management.endpoints.web.exposure.include=stint",
            "stint.rules.api.limit=@plans.byRequest(#root)",
            "stint.rules.api.fallback-limit=1/day",
            "stint.rules.api.by=header:X-Key",
            "stint.rules.api.match=/hello")) {
      assertThat(left(app.get("/hello", "X-Key", "k", "X-Plan", "5"))).contains("r=4");
      assertThat(app.get("/actuator/stint/api").body())
          .contains("\"limits\":[\"@plans.byRequest(#root)\"],\"fallback\":[\"1/day\"]")
          .contains("\"phase\":\"before-authentication\"");
      String key = "/actuator/stint/api?key=k";
      String limit = key + "&limit=" + URLEncoder.encode("5/hour", StandardCharsets.UTF_8);
      assertThat(app.get(limit).body()).contains("\"remaining\":4");
      HttpResponse<String> which = app.get(key);
      assertThat(which.statusCode()).isEqualTo(400);
      assertThat(which.body()).contains("the limits of rule api depend on the request");
      assertThat(app.send(HttpRequest.newBuilder(app.uri(limit)).DELETE().build()).statusCode())
          .isEqualTo(204);
      assertThat(app.get(limit).body()).contains("\"remaining\":5");
    }
  }

  @Test
  void what_could_never_work_stops_the_start() {
    assertWrong("an expression must name a bean: there is no plan", "limit=@plan.of(#key)");
    assertWrong("a variable must be #principal, #key or #root: #user", "limit=@plans.of(#user)");
    assertWrong("headr", "limit=headr('X-Plan')");
    assertWrong("headr", "limit=1/min", "when=headr('X') == null");
    assertWrong("Type cannot be found", "limit=T(java.lang.System).getenv('X')");
    assertWrong(
        "a fallback is for a limit that is an expression", "limit=1/min", "fallback-limit=2/min");
    assertWrong("2/mim", "limit=@plans.limitFor(#key)", "fallback-limit=2/mim");
  }

  private static void assertWrong(String reason, String... properties) {
    String[] named = new String[properties.length];
    for (int i = 0; i < named.length; i++) {
      named[i] = "stint.rules.api." + properties[i];
    }
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(StintAutoConfiguration.class))
        .withBean("plans", Plans.class)
        .withPropertyValues(named)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .isNotNull()
                    .hasStackTraceContaining(reason));
  }
}
