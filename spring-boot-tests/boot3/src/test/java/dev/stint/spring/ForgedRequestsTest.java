package dev.stint.spring;

import dev.stint.http.ForgedRequests;
import dev.stint.http.Rule;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** One credential has one budget, however it is sent to MVC or WebFlux. */
class ForgedRequestsTest {

  @Import(OpenApp.class)
  static class App {

    @Bean
    Rule header() {
      return rules().get(0);
    }

    @Bean
    Rule bearer() {
      return rules().get(1);
    }

    @Bean
    Rule cookie() {
      return rules().get(2);
    }

    @Bean
    Rule parameter() {
      return rules().get(3);
    }

    private static List<Rule> rules() {
      return ForgedRequests.rules();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void one_credential_has_one_budget_however_it_is_sent(String kind) throws Exception {
    try (RunningApp app = RunningApp.of(kind, App.class)) {
      ForgedRequests.assertCounted(app.uri("/").getPort());
    }
  }
}
