package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients see of rules on both sides of the security chain. */
class AroundSecurityTest {

  private static String[] as(String name, String password) {
    byte[] pair = (name + ":" + password).getBytes(StandardCharsets.UTF_8);
    return new String[] {"Authorization", "Basic " + Base64.getEncoder().encodeToString(pair)};
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void both_show_in_the_headers(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            HelloApp.class,
            "stint.rules.api.limit=5/min",
            "stint.rules.user.limit=3/min",
            "stint.rules.user.by=principal")) {
      var response = app.get("/private/hello", as("ann", "secret"));
      assertThat(response.headers().allValues("RateLimit-Policy"))
          .containsExactly("\"api\";q=5;w=60, \"user\";q=3;w=60");
      assertThat(response.headers().allValues("RateLimit")).containsExactly("\"user\";r=2;t=20");
    }
  }
}
