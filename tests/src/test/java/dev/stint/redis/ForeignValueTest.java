package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.RedisServer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody else has put in a place fails there, and is no reason to give the server up. */
@Tag("redis")
class ForeignValueTest {

  private static final int MANY = 20;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "5/hour token-bucket",
        "5/hour fixed-window",
        "5/hour fixed-window-per-key",
        "5/hour sliding-counter",
        "5/hour sliding-log",
        "5 total"
      })
  void a_foreign_value_concerns_its_place_alone(String rate) {
    RedisServer server = Servers.redis();
    KeyedLimit limit = Limit.parse(rate).on("foreign");
    String place =
        new String(
            new PlaceNames("stint:").of(limit, PlaceNames.terms(limit.limit())),
            StandardCharsets.UTF_8);
    try (RedisStore store = Servers.patient(server.uri())) {
      RateLimiter limiter = RateLimiter.of(store);
      for (String value : new String[] {"hello", "hello ".repeat(100)}) {
        server.ask("SET", place, value);
        for (int i = 0; i < MANY; i++) {
          Decision decision = limiter.hit(limit);
          assertThat(decision.reason().orElse("")).contains("is not a state of Stint");
        }
        assertThat(server.ask("GET", place)).isEqualTo(value);
        assertThat(limiter.peek(limit.limit().on("well")).degraded()).isFalse();
      }
      limiter.reset(limit.limit().on("well"));
    } finally {
      server.ask("SET", place, "", "PX", "1");
    }
  }
}
