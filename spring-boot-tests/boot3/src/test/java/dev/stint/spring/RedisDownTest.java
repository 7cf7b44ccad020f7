package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.lab.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis dies under load, and comes back. */
class RedisDownTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static String[] properties(RedisServer redis) {
    return new String[] {
      "spring.data.redis.host=127.0.0.1",
      "spring.data.redis.port=" + redis.port(),
      // Boot's own indicator for Redis says DOWN, as it should: this is about ours.
      "management.health.redis.enabled=false",
      "management.endpoint.health.show-details=always",
      "stint.store=redis",
      "stint.rules.lenient.limit=1000000/day",
      "stint.rules.lenient.match=/orders/lenient",
      "stint.rules.lenient.by=header:X-Client",
      "stint.rules.lenient.on-store-error=allow",
      "stint.rules.strict.limit=1000000/day",
      "stint.rules.strict.match=/orders/strict",
      "stint.rules.strict.by=header:X-Client",
      "stint.rules.strict.on-store-error=deny",
      "stint.rules.local.limit=2/day",
      "stint.rules.local.match=/orders/local",
      "stint.rules.local.by=header:X-Client",
      "stint.rules.local.on-store-error=local"
    };
  }

  private static double state(RunningApp app) {
    return app.bean(MeterRegistry.class)
        .get("stint.store.state")
        .tag("store", "redis")
        .gauge()
        .value();
  }

  private static int check(RunningApp app, String rule) throws Exception {
    return app.get("/orders/" + rule, "X-Client", "check").statusCode();
  }

  private static void awaitHealth(RunningApp app, String status) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(app.get("/actuator/health/stint").body())
                    .contains("\"status\":\"" + status + "\""));
  }

  private static void awaitMore(Load load, int requests) {
    int before = load.answers();
    await().atMost(PATIENCE).until(() -> load.answers() >= before + requests);
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void every_request_is_answered_as_its_rule_says_and_health_tells(String kind) throws Exception {
    try (RedisServer redis = RedisServer.start();
        RunningApp app = RunningApp.of(kind, HelloApp.class, properties(redis));
        Load load = new Load(app, "/orders/lenient", "/orders/strict", "/orders/local")) {
      awaitHealth(app, "UP");
      awaitMore(load, 200);

      redis.kill();
      awaitHealth(app, "DEGRADED");
      awaitMore(load, 200);
      HttpResponse<String> health = app.get("/actuator/health");
      assertThat(health.statusCode()).isEqualTo(200);
      assertThat(health.body()).contains("\"status\":\"DEGRADED\"", "cannot be asked");
      assertThat(state(app)).isEqualTo(0);
      assertThat(check(app, "lenient")).isEqualTo(200);
      assertThat(check(app, "strict")).isEqualTo(503);
      assertThat(check(app, "local")).isEqualTo(200);
      assertThat(check(app, "local")).isEqualTo(200);
      assertThat(check(app, "local")).isEqualTo(429);

      redis.restart();
      awaitHealth(app, "UP");
      assertThat(state(app)).isEqualTo(1);
      await().atMost(PATIENCE).until(() -> check(app, "strict") == 200);
      assertThat(load.statuses()).containsExactlyInAnyOrder(200, 429, 503);
    }
  }
}
