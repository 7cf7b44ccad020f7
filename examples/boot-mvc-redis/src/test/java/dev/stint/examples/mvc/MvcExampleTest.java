package dev.stint.examples.mvc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.lab.RedisServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

@ExtendWith(OutputCaptureExtension.class)
class MvcExampleTest {

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void two_instances_greet_five_times_together() throws Exception {
    try (RedisServer redis = RedisServer.start();
        ConfigurableApplicationContext one = start(redis.port());
        ConfigurableApplicationContext other = start(redis.port())) {
      for (int i = 0; i < 3; i++) {
        assertThat(hello(one).statusCode()).isEqualTo(200);
      }
      for (int i = 0; i < 2; i++) {
        assertThat(hello(other).statusCode()).isEqualTo(200);
      }
      assertRefused(hello(one));
      assertRefused(hello(other));
    }
  }

  @Test
  void only_wrong_passwords_count() throws Exception {
    try (RedisServer redis = RedisServer.start();
        ConfigurableApplicationContext app = start(redis.port())) {
      for (int i = 0; i < 5; i++) {
        assertThat(login(app, "swordfish").statusCode()).isEqualTo(200);
      }
      for (int i = 0; i < 3; i++) {
        assertThat(login(app, "guess").statusCode()).isEqualTo(401);
      }
      assertThat(login(app, "swordfish").statusCode()).isEqualTo(429);
    }
  }

  @Test
  void without_redis_it_says_so_and_counts_for_itself(CapturedOutput log) throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      redis.kill();
      try (ConfigurableApplicationContext app = start(redis.port())) {
        for (int i = 0; i < 5; i++) {
          assertThat(hello(app).statusCode()).isEqualTo(200);
        }
        assertRefused(hello(app));
        HttpResponse<String> health = get(app, "/actuator/health");
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("DEGRADED");
        assertThat(log).contains("decisions without Redis; the last: Redis cannot be reached");
      }
    }
  }

  private static void assertRefused(HttpResponse<String> response) {
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(response.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1L, 12L);
  }

  /** With time enough for an answer of Redis on a busy machine, where 25 ms are soon over. */
  private static ConfigurableApplicationContext start(int redisPort) {
    return SpringApplication.run(
        MvcExample.class,
        "--server.port=0",
        "--spring.data.redis.port=" + redisPort,
        "--stint.redis.deadline=5s");
  }

  private HttpResponse<String> hello(ConfigurableApplicationContext app) throws Exception {
    return get(app, "/hello");
  }

  private HttpResponse<String> get(ConfigurableApplicationContext app, String path)
      throws Exception {
    return client.send(HttpRequest.newBuilder(uri(app, path)).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> login(ConfigurableApplicationContext app, String password)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(app, "/login"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("password=" + password))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static URI uri(ConfigurableApplicationContext app, String path) {
    String port = app.getEnvironment().getProperty("local.server.port");
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
