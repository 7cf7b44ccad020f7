package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.testkit.ManualTime;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import reactor.core.publisher.Mono;

/** Refused calls on their way to the client, over real sockets. */
class RateLimitedWebTest {

  @SpringBootConfiguration
  @EnableAutoConfiguration
  @Import({
    HelloApp.ServletSecurity.class,
    HelloApp.WebFluxSecurity.class,
    Shop.class,
    Inside.class,
    Own.class
  })
  static class App {

    @Bean
    ManualTime time() {
      return ManualTime.create();
    }

    @Bean
    Stock stock() {
      return new Stock();
    }
  }

  static class Stock {

    @RateLimited(value = "1/min", name = "stock")
    String take() {
      return "taken";
    }
  }

  @RestController
  static class Shop {
    private final Stock stock;

    Shop(Stock stock) {
      this.stock = stock;
    }

    @GetMapping("/plain/{user}")
    @RateLimited(value = "1/min", by = "#user", name = "shop")
    String plain(@PathVariable("user") String user) {
      return user;
    }

    @GetMapping("/stock")
    String stock() {
      return stock.take();
    }

    @GetMapping("/future/{user}")
    @RateLimited(value = "1/min", by = "#user", name = "shop")
    CompletableFuture<String> future(@PathVariable("user") String user) {
      return CompletableFuture.completedFuture(user);
    }

    @GetMapping("/mono/{user}")
    @RateLimited(value = "1/min", by = "#user", name = "shop")
    Mono<String> mono(@PathVariable("user") String user) {
      return Mono.just(user);
    }

    @GetMapping("/huge")
    @RateLimited(value = "1/min", cost = "2", name = "shop")
    String huge() {
      return "huge";
    }
  }

  @RestController
  @RateLimited("1/min")
  static class Inside {

    @GetMapping("/all/one")
    String one() {
      return "one";
    }

    @GetMapping("/all/two")
    protected String two() {
      return "two";
    }
  }

  @RestControllerAdvice
  @ConditionalOnProperty("own.answer")
  static class Own {

    @ExceptionHandler
    ResponseEntity<Map<String, Long>> refused(RateLimitedException refused) {
      return ResponseEntity.status(503).body(Map.of("wait", refused.retryAfter().toSeconds()));
    }
  }

  private static RunningApp start(String kind, String... properties) {
    return kind.equals("servlet")
        ? RunningApp.servlet(App.class, properties)
        : RunningApp.webFlux(App.class, properties);
  }

  @ParameterizedTest
  @CsvSource({
    "servlet, plain", "servlet, future", "servlet, mono",
    "webflux, plain", "webflux, future", "webflux, mono"
  })
  void a_refused_call_is_answered_as_by_the_filters(String kind, String path) throws Exception {
    try (RunningApp app = start(kind)) {
      assertThat(app.get("/" + path + "/ann").statusCode()).isEqualTo(200);
      HttpResponse<String> refused = app.get("/" + path + "/ann");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).contains("60");
      assertThat(refused.headers().firstValue("RateLimit-Policy")).contains("\"shop\";q=1;w=60");
      assertThat(refused.headers().firstValue("RateLimit")).contains("\"shop\";r=0;t=60");
      assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
      assertThat(refused.body())
          .contains("\"status\":429", "\"violated-policies\":[\"shop\"]", "try again in 60 s");
      assertThat(app.get("/" + path + "/bob").body()).isEqualTo("bob");
      app.bean(ManualTime.class).advance(Duration.ofSeconds(60));
      assertThat(app.get("/" + path + "/ann").statusCode()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_refusal_from_deep_within_is_answered_too(String kind) throws Exception {
    try (RunningApp app = start(kind)) {
      assertThat(app.get("/stock").body()).isEqualTo("taken");
      assertThat(app.get("/stock").statusCode()).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void who_can_never_pass_is_told_no_time(String kind) throws Exception {
    try (RunningApp app = start(kind)) {
      HttpResponse<String> refused = app.get("/huge");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void the_settings_of_refusals_and_headers_hold_for_methods_too(String kind) throws Exception {
    try (RunningApp app =
        start(kind, "stint.headers=legacy", "stint.refusal.status=503", "stint.refusal.body=no")) {
      app.get("/plain/ann");
      HttpResponse<String> refused = app.get("/plain/ann");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).isEqualTo("no");
      assertThat(refused.headers().firstValue("RateLimit-Remaining")).contains("0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void an_application_may_answer_itself(String kind) throws Exception {
    try (RunningApp app = start(kind, "own.answer=true")) {
      app.get("/plain/ann");
      HttpResponse<String> refused = app.get("/plain/ann");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).isEqualTo("{\"wait\":60}");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_rule_and_an_annotation_each_have_their_say(String kind) throws Exception {
    try (RunningApp app = start(kind, "stint.rules.api.limit=3/min")) {
      assertThat(app.get("/plain/ann").headers().firstValue("RateLimit-Policy"))
          .contains("\"api\";q=3;w=60");
      assertThat(app.get("/plain/ann").headers().firstValue("RateLimit-Policy"))
          .contains("\"api\";q=3;w=60, \"shop\";q=1;w=60");
      assertThat(app.get("/plain/bob").statusCode()).isEqualTo(200);
      assertThat(app.get("/plain/cid").body()).contains("\"violated-policies\":[\"api\"]");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_refusal_shows_no_names_of_classes(String kind) throws Exception {
    try (RunningApp app = start(kind)) {
      assertThat(app.get("/all/one").statusCode()).isEqualTo(200);
      HttpResponse<String> refused = app.get("/all/one");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("RateLimit-Policy")).contains("\"one\";q=1;w=60");
      assertThat(refused.body() + refused.headers().map())
          .doesNotContain("Inside")
          .contains("\"violated-policies\":[\"one\"]");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void an_annotation_on_a_class_covers_handlers_that_are_not_public(String kind) throws Exception {
    try (RunningApp app = start(kind)) {
      assertThat(app.get("/all/one").statusCode()).isEqualTo(200);
      assertThat(app.get("/all/one").statusCode()).isEqualTo(429);
      assertThat(app.get("/all/two").statusCode()).isEqualTo(200);
      assertThat(app.get("/all/two").statusCode()).isEqualTo(429);
    }
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void no_bean_is_made_too_early_because_of_annotations(CapturedOutput output) throws Exception {
    try (RunningApp app =
        start("servlet", "logging.level.org.springframework.context.support=info")) {
      assertThat(app.get("/stock").statusCode()).isEqualTo(200);
      assertThat(output).doesNotContain("not eligible for getting processed");
    }
  }
}
