package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** How the store is, by the health endpoint. */
class HealthTest {

  private static final String DETAILS = "management.endpoint.health.show-details=always";
  private static final String NO_REDIS = "management.health.redis.enabled=false";
  private static final String ORDER =
      "management.endpoint.health.status.order=down,out-of-service,degraded,up,unknown";

  @Configuration(proxyBeanMethods = false)
  @Import(HelloApp.class)
  static class AppWithoutStore {
    @Bean
    BrokenStore store() {
      return new BrokenStore();
    }
  }

  @Test
  void a_store_in_memory_is_up() throws Exception {
    try (RunningApp app = RunningApp.servlet(HelloApp.class, DETAILS, NO_REDIS)) {
      assertThat(app.get("/actuator/health/stint").body())
          .contains("\"status\":\"UP\"", "\"store\":\"memory\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_store_that_cannot_be_asked_is_degraded_and_the_application_stays_up(String kind)
      throws Exception {
    try (RunningApp app = RunningApp.of(kind, AppWithoutStore.class, DETAILS, NO_REDIS)) {
      HttpResponse<String> part = app.get("/actuator/health/stint");
      assertThat(part.statusCode()).isEqualTo(200);
      assertThat(part.body())
          .contains("\"status\":\"DEGRADED\"", "\"reason\":\"the cable is out\"");
      HttpResponse<String> whole = app.get("/actuator/health");
      assertThat(whole.statusCode()).isEqualTo(200);
      assertThat(whole.body()).contains("\"status\":\"UP\"", "\"status\":\"DEGRADED\"");
      app.bean(BrokenStore.class).mend();
      assertThat(app.get("/actuator/health/stint").body()).contains("\"status\":\"UP\"");
    }
  }

  @Test
  void the_application_says_degraded_where_its_order_of_statuses_has_it() throws Exception {
    try (RunningApp app = RunningApp.servlet(AppWithoutStore.class, NO_REDIS, ORDER)) {
      HttpResponse<String> whole = app.get("/actuator/health");
      assertThat(whole.statusCode()).isEqualTo(200);
      assertThat(whole.body()).contains("\"status\":\"DEGRADED\"").doesNotContain("\"UP\"");
    }
  }

  @Test
  void a_property_leaves_it_out() throws Exception {
    try (RunningApp app =
        RunningApp.servlet(HelloApp.class, "management.health.stint.enabled=false")) {
      assertThat(app.get("/actuator/health/stint").statusCode()).isEqualTo(404);
    }
  }
}
