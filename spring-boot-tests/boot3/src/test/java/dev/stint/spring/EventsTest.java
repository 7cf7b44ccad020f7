package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.DecisionEvent;
import dev.stint.DecisionListener;
import dev.stint.Store;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Events of the application about decisions, and refusals as Spring's own error responses. */
class EventsTest {

  @SpringBootConfiguration
  @EnableAutoConfiguration
  @Import({HelloApp.class, Watching.class, Busy.class})
  static class App {

    /** It needs the store, whose events it is told of. */
    @Bean
    DecisionListener listener(Stores stores, Watching watching) {
      return event -> watching.inTermsOfCore.add(event);
    }
  }

  static class Watching {
    final List<RateLimitEvent> events = new CopyOnWriteArrayList<>();
    final List<String> threads = new CopyOnWriteArrayList<>();
    final List<DecisionEvent> inTermsOfCore = new CopyOnWriteArrayList<>();

    @EventListener
    void on(RateLimitEvent event) {
      threads.add(Thread.currentThread().getName());
      events.add(event);
      throw new IllegalStateException("a listener that fails is the next one's affair, not ours");
    }
  }

  @RestController
  static class Busy {

    @GetMapping("/busy")
    @RateLimited("1/min")
    String busy() {
      return "done";
    }

    @GetMapping("/handled")
    @RateLimited(value = "1/min", name = "handled")
    String handled() {
      return "done";
    }
  }

  @org.springframework.web.bind.annotation.RestControllerAdvice
  static class Advice {

    @ExceptionHandler
    ResponseEntity<ProblemDetail> refused(RateLimitedException refused) {
      ErrorResponse response = (ErrorResponse) refused;
      return ResponseEntity.status(response.getStatusCode())
          .headers(response.getHeaders())
          .body(response.getBody());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void refusals_and_near_limits_are_events(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            App.class,
            "stint.rules.api.limit=4/min",
            "stint.rules.api.match=/hello",
            "stint.events.near-limit=0.75")) {
      Watching watching = app.bean(Watching.class);
      for (int i = 0; i < 8; i++) {
        app.get("/hello");
      }
      await().until(() -> watching.events.size() >= 2);
      assertThat(watching.events)
          .extracting(RateLimitEvent::kind)
          .containsExactly(DecisionEvent.Kind.NEAR_LIMIT, DecisionEvent.Kind.REFUSED);
      assertThat(watching.events).extracting(RateLimitEvent::rule).containsOnly("api");
      assertThat(watching.threads).containsOnly("stint-events");
      assertThat(watching.inTermsOfCore).hasSize(2);
    }
  }

  @Test
  void a_store_that_is_away_is_an_event() throws Exception {
    try (RunningApp app =
        RunningApp.servlet(
            AppWithoutStore.class, "stint.rules.api.limit=4/min", "stint.rules.api.match=/hello")) {
      app.get("/hello");
      Watching watching = app.bean(Watching.class);
      await().until(() -> !watching.events.isEmpty());
      assertThat(watching.events.get(0).kind()).isEqualTo(DecisionEvent.Kind.DEGRADED);
    }
  }

  @SpringBootConfiguration
  @EnableAutoConfiguration
  @Import({HelloApp.class, Watching.class})
  static class AppWithoutStore {

    @Bean(destroyMethod = "")
    Store store() {
      return Store.admitting();
    }
  }

  @Test
  void events_can_be_turned_off() throws Exception {
    try (RunningApp app =
        RunningApp.servlet(
            App.class, "stint.rules.api.limit=1/min", "stint.events.enabled=false")) {
      assertThat(app.beans(EventPublisher.class)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_refused_method_is_an_error_response_and_answered_as_ever(String kind) throws Exception {
    try (RunningApp app = RunningApp.of(kind, App.class, "stint.store=memory")) {
      assertThat(app.get("/busy").statusCode()).isEqualTo(200);
      var refused = app.get("/busy");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).contains("60");
      assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
      assertThat(refused.body()).contains("\"violated-policies\"");
    }
  }

  @SpringBootConfiguration
  @EnableAutoConfiguration
  @Import({HelloApp.class, Busy.class, Advice.class})
  static class AppWithAdvice {}

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void an_application_may_use_it_as_one(String kind) throws Exception {
    try (RunningApp app = RunningApp.of(kind, AppWithAdvice.class, "stint.store=memory")) {
      assertThat(app.get("/handled").statusCode()).isEqualTo(200);
      var refused = app.get("/handled");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).contains("60");
      assertThat(refused.headers().firstValue("RateLimit")).isPresent();
      assertThat(refused.body())
          .contains("\"title\":\"Quota Exceeded\"")
          .contains("\"status\":429")
          .contains("http-problem-types#quota-exceeded");
    }
  }
}
