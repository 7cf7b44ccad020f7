package dev.stint.server.http;

import static dev.stint.server.http.RunningHttp.detail;
import static dev.stint.server.http.RunningHttp.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Secret;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.server.net.Connections;
import dev.stint.server.net.LargeRequestWorker;
import dev.stint.server.net.Readiness;
import dev.stint.server.net.TokenAuth;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpWireTest {

  private static final String HIT =
      "POST /v1/hit HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{\"key\":\"alice\"}";

  private RunningHttp http;

  @BeforeEach
  void start() {
    http = RunningHttp.start();
  }

  @AfterEach
  void stop() {
    http.close();
  }

  @Test
  void health_is_told_in_a_word() {
    HttpResponse<String> response = http.get("/health");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type")).contains("text/plain;charset=utf-8");
    assertThat(response.body()).isEqualTo("ok");
  }

  @Test
  void the_welcome_has_lines_that_work() {
    String welcome = http.get("/").body();

    assertThat(welcome)
        .contains("curl \"http://localhost:" + http.service.httpPort() + "/check?userId=alice\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/health", "/openapi.json", "/v1/keys/default/alice"})
  void head_answers_as_get_does_without_a_body(String path) {
    HttpResponse<String> get = http.get(path);

    HttpResponse<String> head =
        http.send(http.request(path).method("HEAD", BodyPublishers.noBody()));

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().map()).isEqualTo(get.headers().map());
  }

  @Test
  void pipelined_requests_are_answered_in_their_order() throws IOException {
    String last = "GET /v1/keys/default/alice HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

    String answers = http.raw(HIT.repeat(7) + last);

    assertThat(answers.split("HTTP/1.1 ", -1)).hasSize(9);
    assertThat(answers.replaceAll("(?s)HTTP/1.1 (\\d+).*?\"used\":(\\d).*?\\}", "$1:$2 "))
        .isEqualTo("200:1 200:2 200:3 200:4 200:5 429:6 429:7 200:7 ");
  }

  @Test
  void a_connection_is_kept_unless_it_is_told_to_close() throws IOException {
    String answers = http.raw(HIT + "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

    assertThat(answers).contains("\"used\":1").endsWith("ok");
  }

  @Test
  void http_2_is_spoken_without_asking_first() throws Exception {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    HttpRequest.Builder hit = http.request("/v1/hit").header("Content-Type", "application/json");
    // The first request is upgraded; what follows goes over HTTP/2 from the start.
    RunningHttp.send(client, http.request("/health"));

    HttpResponse<String> response =
        RunningHttp.send(client, hit.POST(BodyPublishers.ofString("{\"key\":\"alice\"}")));

    assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(json(response).path("used").asInt()).isEqualTo(1);
  }

  @Test
  void a_large_body_over_http_2_is_refused_and_the_connection_goes_on() {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    RunningHttp.send(client, http.request("/health"));

    HttpResponse<String> refused =
        RunningHttp.send(
            client, http.request("/v1/hit").POST(BodyPublishers.ofByteArray(new byte[2 << 20])));

    assertThat(refused.statusCode()).isEqualTo(413);
    assertThat(RunningHttp.send(client, http.request("/health")).body()).isEqualTo("ok");
  }

  @Test
  void clients_must_show_a_token_where_clients_are_named() {
    Clients clients =
        Clients.of(Map.of("team-a", ClientSettings.changing(Secret.of("a token of some length"))));
    try (RunningHttp gated = RunningHttp.start(RunningHttp.standard().withClients(clients))) {
      HttpResponse<String> stranger = gated.get("/check?userId=alice");
      HttpResponse<String> wrong =
          gated.send(gated.request("/v1/hitt").header("Authorization", "Bearer guessed"));
      HttpResponse<String> known =
          gated.send(
              gated
                  .request("/check?userId=alice")
                  .header("Authorization", "Bearer a token of some length"));

      assertThat(stranger.statusCode()).isEqualTo(401);
      assertThat(stranger.headers().firstValue("WWW-Authenticate"))
          .contains("Bearer realm=\"stint\"");
      assertThat(detail(stranger))
          .isEqualTo(
              "a client must send its token, sent none that is known;"
                  + " add Authorization: Bearer and the token");
      assertThat(wrong.statusCode()).isEqualTo(401);
      assertThat(known.body()).contains("\"currentCount\":1");
      assertThat(gated.get("/health").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void policies_that_are_put_in_force_are_asked_from_the_next_request_on() {
    http.service.reload(RunningHttp.with("fresh", "1/day"));

    assertThat(http.post("/v1/hit", "{\"policy\":\"fresh\",\"key\":\"a\"}").statusCode())
        .isEqualTo(200);
  }

  @Test
  void a_service_that_was_closed_listens_no_more() {
    RunningHttp other = RunningHttp.start();
    other.close();

    assertThatThrownBy(() -> other.get("/health"))
        .isInstanceOf(UncheckedIOException.class)
        .hasCauseInstanceOf(ConnectException.class);
  }

  @Test
  void as_many_requests_as_one_likes_may_be_sent_before_the_first_answer_is_read()
      throws IOException {
    String health = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n";
    String last = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

    assertThat(http.raw(health.repeat(999) + last).split("HTTP/1.1 200 OK", -1)).hasSize(1001);
  }

  @Test
  void a_mistake_of_ours_is_answered_and_not_described_to_strangers() throws Exception {
    Configuration configuration = RunningHttp.standard();
    Vertx vertx = Vertx.vertx();
    try (Engine engine = new Engine(configuration, Stores.inMemory(http.time), Watch.NOBODY)) {
      HttpWire wire =
          new HttpWire(
              engine,
              configuration,
              new TokenAuth(Clients.unspecified()),
              new Connections(10),
              new Readiness(),
              (body, permissions) -> {
                throw new IllegalStateException("secret");
              },
              new LargeRequestWorker());
      int port = wire.listen(vertx, 0).toCompletionStage().toCompletableFuture().get();

      HttpResponse<String> response =
          RunningHttp.send(
              HttpClient.newHttpClient(),
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json"))
                  .timeout(Duration.ofSeconds(10))
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString("{}")));

      assertThat(response.statusCode()).isEqualTo(500);
      assertThat(response.body()).contains("an internal error").doesNotContain("secret");
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get();
    }
  }
}
