package dev.stint.server.admin;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.Limit;
import dev.stint.algorithm.Operation;
import dev.stint.http.HeaderFormat;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.config.Secret;
import dev.stint.server.config.StoreSettings;
import dev.stint.server.config.Telemetry;
import dev.stint.server.engine.Policy;
import dev.stint.server.serve.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AdminWireTest {

  private static final Listener ANY = Listener.on("127.0.0.1", 0);

  private final HttpClient client = HttpClient.newHttpClient();

  private static Configuration configuration(PolicySettings api, PolicySettings next) {
    return Configuration.standard()
        .withListeners(new Listeners(ANY, ANY, ANY, ANY))
        .withPolicies(Map.of("api", api, "next", next));
  }

  private static Configuration plain() {
    PolicySettings policy = PolicySettings.of(Limit.parseAll("2/minute"));
    return configuration(policy, policy);
  }

  private HttpResponse<String> get(Service service, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.adminPort() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static void hit(Service service, String policy, String key, int times) {
    Policy found = Objects.requireNonNull(service.engine().policies().find(policy));
    for (int i = 0; i < times; i++) {
      service
          .engine()
          .askAsync(Operation.HIT, found, key.getBytes(StandardCharsets.UTF_8), 1)
          .toCompletableFuture()
          .join();
    }
  }

  @Test
  void counts_decisions_by_policy_and_outcome() throws Exception {
    try (Service service = Service.start(plain())) {
      hit(service, "api", "alice", 5);
      String metrics = get(service, "/metrics").body();
      assertThat(metrics)
          .contains("stint_decisions_total{outcome=\"allowed\",policy=\"api\"} 2.0")
          .contains("stint_decisions_total{outcome=\"refused\",policy=\"api\"} 3.0")
          .contains("stint_decision_seconds_count{policy=\"api\"} 5")
          .contains("stint_decision_seconds_bucket{policy=\"api\",le=\"0.1\"} 5")
          .contains("stint_store_state 1.0")
          .contains("stint_keys 1.0")
          .contains("stint_connections{wire=\"admin\"} 1.0");
    }
  }

  @Test
  @Timeout(60)
  void a_page_that_takes_long_keeps_nobody_else_waiting() throws Exception {
    CountDownLatch scraped = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    try (Service service = Service.start(plain())) {
      service
          .metrics()
          .gauge(
              "stint.slow",
              "Waits.",
              answered,
              latch -> {
                scraped.countDown();
                try {
                  latch.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                return 1;
              });
      CompletableFuture<HttpResponse<String>> metrics =
          client.sendAsync(
              HttpRequest.newBuilder(
                      URI.create("http://127.0.0.1:" + service.adminPort() + "/metrics"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      scraped.await();
      HttpRequest ready =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.adminPort() + "/ready"))
              .timeout(Duration.ofSeconds(10))
              .build();
      assertThat(client.send(ready, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
      answered.countDown();
      assertThat(metrics.join().body()).contains("stint_slow 1.0");
    } finally {
      answered.countDown();
    }
  }

  @Test
  void has_no_more_series_after_ten_thousand_keys() throws Exception {
    try (Service service = Service.start(plain())) {
      hit(service, "api", "first", 3);
      long before = stintSeries(service);
      for (int i = 0; i < 10_000; i++) {
        hit(service, "api", "key" + i, 1);
      }
      assertThat(stintSeries(service)).isEqualTo(before);
    }
  }

  /** Those of the JVM are left out: a first garbage collection of its kind adds some. */
  private long stintSeries(Service service) throws Exception {
    return get(service, "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("stint_"))
        .count();
  }

  @Test
  void counts_what_a_shadow_policy_would_have_refused() throws Exception {
    PolicySettings shadow =
        new PolicySettings(
            Limit.parseAll("1/minute"),
            false,
            true,
            OnStoreError.LOCAL,
            HeaderFormat.IETF,
            List.of(),
            Optional.empty());
    try (Service service = Service.start(configuration(shadow, shadow))) {
      hit(service, "api", "alice", 3);
      assertThat(get(service, "/metrics").body())
          .contains("stint_decisions_total{outcome=\"shadow_refused\",policy=\"api\"} 2.0");
    }
  }

  @Test
  void tries_a_candidate_on_the_same_traffic_and_counts_where_they_differ() throws Exception {
    PolicySettings live =
        new PolicySettings(
            Limit.parseAll("2/minute"),
            false,
            false,
            OnStoreError.LOCAL,
            HeaderFormat.IETF,
            List.of(),
            Optional.of("next"));
    PolicySettings next = PolicySettings.of(Limit.parseAll("3/minute"));
    try (Service service = Service.start(configuration(live, next))) {
      hit(service, "api", "alice", 5);
      String both =
          "stint_candidate_total{candidate=\"next\",live=\"%s\",policy=\"api\",tried=\"%s\"} %s";
      assertThat(get(service, "/metrics").body())
          .contains(both.formatted("allowed", "allowed", "2.0"))
          .contains(both.formatted("refused", "allowed", "1.0"))
          .contains(both.formatted("refused", "refused", "2.0"));
    }
  }

  @Test
  void lists_the_most_used_and_the_most_refused_keys() throws Exception {
    try (Service service = Service.start(plain())) {
      hit(service, "api", "alice", 7);
      hit(service, "next", "bob", 3);
      assertThat(get(service, "/top").body())
          .contains(
              "\"used\":[{\"policy\":\"api\",\"key\":\"alice\",\"count\":7,\"error\":0},"
                  + "{\"policy\":\"next\",\"key\":\"bob\",\"count\":3,\"error\":0}]")
          .contains(
              "\"refused\":[{\"policy\":\"api\",\"key\":\"alice\",\"count\":5,\"error\":0},"
                  + "{\"policy\":\"next\",\"key\":\"bob\",\"count\":1,\"error\":0}]");
    }
  }

  @Test
  void shows_hashes_in_place_of_keys_if_asked_to() throws Exception {
    Configuration hashing = plain().withTelemetry(new Telemetry(10, true, false, Optional.empty()));
    try (Service service = Service.start(hashing)) {
      hit(service, "api", "alice@example.com", 1);
      assertThat(get(service, "/top").body()).contains("\"hashed\":true").doesNotContain("alice");
    }
  }

  @Test
  void keys_that_a_policy_hides_are_hidden_when_it_is_gone() throws Exception {
    PolicySettings hiding =
        new PolicySettings(
            Limit.parseAll("2/minute"),
            true,
            false,
            OnStoreError.LOCAL,
            HeaderFormat.IETF,
            List.of(),
            Optional.empty());
    try (Service service = Service.start(configuration(hiding, hiding))) {
      hit(service, "api", "alice@example.com", 1);
      service
          .engine()
          .askAsync(
              Operation.HIT,
              service.engine().policies().ofRequest("1/minute"),
              "bob".getBytes(StandardCharsets.UTF_8),
              1)
          .toCompletableFuture()
          .join();
      service.reload(Configuration.standard());
      assertThat(get(service, "/top").body())
          .contains("\"hashed\":true", "\"bob\"")
          .doesNotContain("alice");
    }
  }

  @Test
  void lists_the_policies_in_force() throws Exception {
    try (Service service = Service.start(plain())) {
      assertThat(get(service, "/policies").body())
          .contains("{\"name\":\"api\",\"limits\":[\"2/minute\"]", "\"mode\":\"enforce\"");
    }
  }

  @Test
  void asks_for_its_token_and_not_for_health() throws Exception {
    Listener admin = ANY.token(Secret.of("an admin's secret"));
    Configuration closed = plain().withListeners(new Listeners(ANY, ANY, ANY, admin));
    try (Service service = Service.start(closed)) {
      for (String path : List.of("/", "/metrics", "/top", "/policies", "/else")) {
        assertThat(get(service, path).statusCode()).as(path).isEqualTo(401);
        assertThat(get(service, path, "Authorization", "Bearer wrong").statusCode()).isEqualTo(401);
        assertThat(get(service, path, "Authorization", "an admin's secret").statusCode())
            .isEqualTo(401);
      }
      assertThat(get(service, "/metrics", "Authorization", "Bearer an admin's secret").statusCode())
          .isEqualTo(200);
      assertThat(get(service, "/health").statusCode()).isEqualTo(200);
      assertThat(get(service, "/ready").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void without_a_token_it_answers_only_under_this_machines_names() throws Exception {
    try (Service service = Service.start(plain());
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.adminPort())) {
      socket
          .getOutputStream()
          .write(
              "GET /top HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 403");
    }
  }

  @Test
  void it_answers_under_the_address_that_it_listens_on() throws Exception {
    Listener other = Listener.on("127.0.0.2", 0);
    Configuration elsewhere = plain().withListeners(new Listeners(ANY, ANY, ANY, other));
    try (Service service = Service.start(elsewhere)) {
      URI metrics = URI.create("http://127.0.0.2:" + service.adminPort() + "/metrics");
      HttpRequest request = HttpRequest.newBuilder(metrics).build();
      assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void changes_nothing_and_says_what_there_is() throws Exception {
    try (Service service = Service.start(plain())) {
      assertThat(get(service, "/nothing").statusCode()).isEqualTo(404);
      assertThat(get(service, "/nothing").body()).contains("/metrics");
      HttpRequest post =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.adminPort() + "/top"))
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
      assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(405);
    }
  }

  @Test
  void without_the_token_nobody_learns_where_the_redis_is() throws Exception {
    Listener admin = ANY.token(Secret.of("an admin's secret"));
    Configuration far =
        plain()
            .withListeners(new Listeners(ANY, ANY, ANY, admin))
            .withStore(StoreSettings.at("redis://127.0.0.1:1"));
    try (Service service = Service.start(far)) {
      assertThat(get(service, "/health").body())
          .contains("\"DEGRADED\"")
          .doesNotContain("127.0.0.1");
      assertThat(get(service, "/health", "Authorization", "Bearer an admin's secret").body())
          .contains("127.0.0.1:1 cannot be asked");
    }
  }

  @Test
  void a_dead_redis_makes_it_degraded_and_not_unready() throws Exception {
    Configuration far = plain().withStore(StoreSettings.at("redis://127.0.0.1:1"));
    try (Service service = Service.start(far)) {
      hit(service, "api", "alice", 5);
      await()
          .atMost(10, SECONDS)
          .untilAsserted(() -> assertThat(get(service, "/health").body()).contains("\"DEGRADED\""));
      assertThat(get(service, "/health").statusCode()).isEqualTo(200);
      assertThat(get(service, "/ready").statusCode()).isEqualTo(200);
      String metrics = get(service, "/metrics").body();
      assertThat(metrics)
          .contains("stint_store_state 0.0")
          .contains("stint_degraded_total{policy=\"api\"} 5.0");
    }
  }
}
