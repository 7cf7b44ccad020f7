package dev.stint.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.algorithm.Operation;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.Secret;
import dev.stint.server.serve.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The listener for metrics alone. */
class MetricsWireTest {

  private static final Listener ANY = Listener.on("127.0.0.1", 0);
  private static final Decision DECISION = RateLimiter.of(Limit.parse("9/minute")).hit("a");

  private final HttpClient client = HttpClient.newHttpClient();

  private static Configuration configuration(Listener metrics) {
    return Configuration.standard().withListeners(new Listeners(ANY, ANY, ANY, ANY, metrics));
  }

  private static HttpRequest.Builder request(Service service, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.metricsPort() + path))
        .timeout(Duration.ofSeconds(20));
  }

  private HttpResponse<String> get(Service service, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(service, path);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void it_is_off_unless_asked_for() {
    assertThat(Configuration.standard().listeners().metrics().isOn()).isFalse();
    try (Service service =
        Service.start(Configuration.standard().withListeners(new Listeners(ANY, ANY, ANY, ANY)))) {
      assertThat(service.metricsPort()).isZero();
    }
  }

  @Test
  void it_has_metrics_and_health_and_nothing_else() throws Exception {
    try (Service service = Service.start(configuration(ANY))) {
      assertThat(get(service, "/metrics").body()).contains("stint_store_state 1.0");
      assertThat(get(service, "/metrics").headers().firstValue("Content-Type"))
          .hasValue("text/plain; version=0.0.4; charset=utf-8");
      assertThat(get(service, "/health").body()).contains("\"status\":\"UP\"");
      assertThat(get(service, "/ready").statusCode()).isEqualTo(200);
      for (String path : List.of("/", "/top", "/policies", "/explain", "/events", "/actions")) {
        assertThat(get(service, path).statusCode()).as(path).isEqualTo(404);
      }
      HttpResponse<String> action =
          client.send(
              request(service, "/actions").POST(BodyPublishers.ofString("{}")).build(),
              BodyHandlers.ofString());
      assertThat(action.statusCode()).isEqualTo(405);
    }
  }

  @Test
  void a_token_is_for_metrics_and_not_for_probes() throws Exception {
    Listener guarded = ANY.token(Secret.of("sesame"));
    try (Service service = Service.start(configuration(guarded))) {
      assertThat(get(service, "/metrics").statusCode()).isEqualTo(401);
      assertThat(get(service, "/metrics", "Authorization", "Bearer sesame").statusCode())
          .isEqualTo(200);
      assertThat(get(service, "/health").statusCode()).isEqualTo(200);
      assertThat(get(service, "/ready").statusCode()).isEqualTo(200);

      service.reload(configuration(ANY.token(Secret.of("rotated"))));

      assertThat(get(service, "/metrics", "Authorization", "Bearer sesame").statusCode())
          .isEqualTo(401);
      assertThat(get(service, "/metrics", "Authorization", "Bearer rotated").statusCode())
          .isEqualTo(200);
    }
  }

  /** Makes the page as large as it can be by rules. */
  private static void fill(Metrics metrics) {
    String longest = "x".repeat(200);
    for (int i = 0; i < RuleMeters.MOST_RULES; i++) {
      metrics.decided(
          "web" + longest, i + longest, i + longest, false, Operation.HIT, 1, DECISION, 0, 1000);
    }
  }

  @Test
  void scrapes_at_the_same_time_get_whole_pages() throws Exception {
    try (Service service = Service.start(configuration(ANY))) {
      fill(service.metrics());
      List<CompletableFuture<HttpResponse<String>>> scrapes = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        scrapes.add(
            client.sendAsync(request(service, "/metrics").build(), BodyHandlers.ofString()));
      }
      for (CompletableFuture<HttpResponse<String>> scrape : scrapes) {
        HttpResponse<String> page = scrape.get();
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body().lines().filter(line -> line.startsWith("stint_rls_")))
            .hasSizeGreaterThan(29 * RuleMeters.MOST_RULES)
            .allMatch(line -> line.matches("stint_rls_\\w+\\{.*\\} [-+0-9.eE]+"));
      }
    }
  }

  @Test
  void clients_that_do_not_read_their_pages_hold_up_nobody() throws Exception {
    List<Socket> lazy = new ArrayList<>();
    try (Service service = Service.start(configuration(ANY))) {
      fill(service.metrics());
      for (int i = 0; i < 100; i++) {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), service.metricsPort()));
        socket
            .getOutputStream()
            .write("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        lazy.add(socket);
      }
      assertThat(get(service, "/ready").statusCode()).isEqualTo(200);
      await()
          .atMost(Duration.ofSeconds(5))
          .untilAsserted(() -> assertThat(get(service, "/metrics").statusCode()).isEqualTo(200));
    } finally {
      for (Socket socket : lazy) {
        socket.close();
      }
    }
  }
}
