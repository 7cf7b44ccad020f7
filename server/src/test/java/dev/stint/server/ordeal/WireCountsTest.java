package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.serve.Service;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests and rejections are counted on every wire, by cause. */
class WireCountsTest {

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private Service service = start();

  private static Service start() {
    Listener any = Listener.on("127.0.0.1", 0);
    return Service.start(
        Configuration.standard().withListeners(new Listeners(any, any, any, any, any)));
  }

  @BeforeEach
  void nothingIsCountedYet() throws Exception {
    assertThat(metrics()).contains("stint_requests_total{wire=\"http\"} 0.0");
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private String metrics() throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(service.metricsPort(), "/metrics"))).body();
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
  }

  private void post(String path, String body) throws IOException, InterruptedException {
    send(
        HttpRequest.newBuilder(uri(service.httpPort(), path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  private void awaitLine(String line) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(metrics().lines()).contains(line));
  }

  private static String rejected(String wire, String cause, int count) {
    return "stint_rejected_requests_total{cause=\""
        + cause
        + "\",wire=\""
        + wire
        + "\"} "
        + count
        + ".0";
  }

  @Test
  void http() throws Exception {
    for (int i = 0; i < 7; i++) {
      post("/v1/hit", "{\"key\":\"a\"}"); // five pass and two are refused, which is no rejection
    }
    post("/v1/hit", "{");
    post("/json", "{}");
    post("/v1/hit", " ".repeat(2 << 20));
    send(HttpRequest.newBuilder(uri(service.httpPort(), "/nowhere")));

    awaitLine("stint_requests_total{wire=\"http\"} 11.0");
    awaitLine(rejected("http", "malformed", 2));
    awaitLine(rejected("http", "too_large", 1));
    awaitLine(rejected("http", "not_found", 1));
    awaitLine(rejected("http", "overload", 0));
  }

  @Test
  void grpc() {
    try (Rls rls = Rls.connect(service.grpcPort())) {
      rls.hit("user", "a");
      assertThatThrownBy(() -> rls.ask(RateLimitRequest.getDefaultInstance()))
          .isInstanceOf(StatusRuntimeException.class);
    }

    awaitLine("stint_requests_total{wire=\"grpc\"} 2.0");
    awaitLine(rejected("grpc", "malformed", 1));
    awaitLine(rejected("grpc", "internal_error", 0));
  }

  @Test
  void resp() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.respPort())) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(
              "PING\r\nCL.THROTTLE a 1 1 1\r\nCL.THROTTLE a x 1 1\r\nNOWHERE\r\nQUIT\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().readAllBytes()).isNotEmpty();
    }

    awaitLine("stint_requests_total{wire=\"resp\"} 5.0");
    awaitLine(rejected("resp", "malformed", 1));
    awaitLine(rejected("resp", "not_found", 1));
  }

  @Test
  void admin() throws Exception {
    send(HttpRequest.newBuilder(uri(service.adminPort(), "/policies")));
    send(HttpRequest.newBuilder(uri(service.adminPort(), "/nowhere")));
    send(
        HttpRequest.newBuilder(uri(service.adminPort(), "/actions"))
            .POST(BodyPublishers.ofString("{}")));

    awaitLine("stint_requests_total{wire=\"admin\"} 3.0");
    awaitLine(rejected("admin", "not_found", 1));
    awaitLine(rejected("admin", "forbidden", 1));
  }
}
