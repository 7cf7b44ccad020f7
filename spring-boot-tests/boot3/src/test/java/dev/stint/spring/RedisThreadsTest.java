package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.lab.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The threads that bring answers from Redis are not the ones that handle requests. */
class RedisThreadsTest {

  @SpringBootConfiguration
  @EnableAutoConfiguration
  @Import({Threads.class, HelloApp.WebFluxSecurity.class})
  static class App {}

  @RestController
  static class Threads {

    @GetMapping("/filtered")
    Mono<String> filtered() {
      return Mono.fromSupplier(() -> Thread.currentThread().getName());
    }

    @GetMapping("/limited")
    @RateLimited("1000/min")
    Mono<String> limited() {
      return Mono.fromSupplier(() -> Thread.currentThread().getName());
    }

    @GetMapping("/blocking")
    @RateLimited(value = "1000/min", onStoreError = OnStoreError.DENY)
    String blocking() {
      return Thread.currentThread().getName();
    }
  }

  @Test
  void handlers_do_not_run_where_answers_of_redis_arrive() throws Exception {
    try (RedisServer redis = RedisServer.start();
        RunningApp app =
            RunningApp.webFlux(
                App.class,
                "stint.store=redis",
                "stint.redis.deadline=1s",
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + redis.port(),
                "stint.rules.api.limit=1000/min",
                "stint.rules.api.match=/filtered,/blocking")) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> app.bean(Stores.class).trouble().isEmpty());
      assertThat(app.get("/filtered").body()).doesNotContain("lettuce");
      assertThat(app.get("/limited").body()).doesNotContain("lettuce");
      assertThat(app.get("/blocking").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void nothing_is_connected_where_stint_is_off() {
    try (RunningApp app =
        RunningApp.webFlux(App.class, "stint.enabled=false", "stint.store=redis")) {
      assertThat(app.beans(dev.stint.Store.class)).isEmpty();
    }
  }
}
