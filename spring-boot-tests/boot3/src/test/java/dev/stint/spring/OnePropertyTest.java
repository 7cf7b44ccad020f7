package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One line of configuration is enough. */
class OnePropertyTest {

  private static final String LIMIT = "stint.rules.api.limit=2/min";

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void one_property_limits_every_path_by_address(String kind) throws Exception {
    try (RunningApp app =
        kind.equals("servlet")
            ? RunningApp.servlet(HelloApp.class, LIMIT)
            : RunningApp.webFlux(HelloApp.class, LIMIT)) {
      HttpResponse<String> first = app.get("/hello");
      assertThat(first.statusCode()).isEqualTo(200);
      assertThat(first.headers().firstValue("RateLimit-Policy")).contains("\"api\";q=2;w=60");
      assertThat(first.headers().firstValue("RateLimit")).contains("\"api\";r=1;t=30");
      assertThat(app.get("/orders/7").statusCode()).isEqualTo(200);
      HttpResponse<String> third = app.get("/nowhere");
      assertThat(third.statusCode()).isEqualTo(429);
      assertThat(third.headers().firstValue("Retry-After")).contains("30");
      assertThat(third.headers().firstValue("Content-Type")).contains("application/problem+json");
    }
  }
}
