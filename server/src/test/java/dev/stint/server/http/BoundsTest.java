package dev.stint.server.http;

import static dev.stint.server.http.RunningHttp.detail;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.server.config.Bounds;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that send too much, too slowly, or come in too great a number. */
class BoundsTest {

  private static final Bounds SMALL =
      new Bounds(1000, 2000, 64, 10, 10, 20, Duration.ofMillis(400), Duration.ofSeconds(1));

  private RunningHttp http;

  @BeforeEach
  void start() {
    http = RunningHttp.start(RunningHttp.standard().withBounds(SMALL));
  }

  @AfterEach
  void stop() {
    http.close();
  }

  @Test
  void a_body_that_says_it_is_too_large_is_refused_before_it_is_sent() throws IOException {
    String answer =
        http.raw(
            "POST /v1/hit HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1001\r\n\r\n");

    assertThat(answer)
        .startsWith("HTTP/1.1 413 ")
        .contains("connection: close")
        .contains(
            "the body must have at most 1000 bytes, has more;"
                + " send less at once, or raise bounds.body");
  }

  @Test
  void a_body_of_unknown_length_is_refused_when_it_gets_too_large() throws IOException {
    String chunk = "1f4\r\n" + " ".repeat(500) + "\r\n";

    String answer =
        http.raw(
            "POST /v1/hit HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                + chunk.repeat(3));

    assertThat(answer).startsWith("HTTP/1.1 413 ").contains("connection: close");
  }

  @Test
  void a_body_in_many_chunks_is_put_together() throws IOException {
    StringBuilder chunks = new StringBuilder();
    for (char c : "{\"key\":\"alice\"}".toCharArray()) {
      chunks.append("1\r\n").append(c).append("\r\n");
    }

    String answer =
        http.raw(
            "POST /v1/hit HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
                + chunks
                + "0\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 200 OK").contains("\"used\":1");
  }

  @Test
  void a_body_may_have_as_many_bytes_as_are_allowed() {
    String body = "{\"key\":\"alice\"}";

    assertThat(http.post("/v1/hit", body + " ".repeat(1000 - body.length())).statusCode())
        .isEqualTo(200);
  }

  @Test
  void nobody_can_send_without_end_to_a_path_that_is_not_there() throws IOException {
    try (Socket socket = http.connect()) {
      OutputStream out = socket.getOutputStream();
      write(out, "POST /nothing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");

      long sent = sendUntilClosed(out, "1f4\r\n" + " ".repeat(500) + "\r\n");

      assertThat(sent).isPositive();
    }
  }

  @Test
  void the_rest_of_a_connection_goes_on_after_a_refused_body() throws IOException {
    String refused = "POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";

    String answers =
        http.raw(refused + "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

    assertThat(answers).startsWith("HTTP/1.1 404 ").contains("HTTP/1.1 200 OK").endsWith("ok");
  }

  @Test
  void who_expects_to_be_told_to_go_on_is_told() {
    HttpResponse<String> response =
        http.send(
            http.request("/v1/hit")
                .expectContinue(true)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"key\":\"alice\"}")));

    assertThat(response.statusCode()).isEqualTo(200);
  }

  @Test
  void headers_that_are_too_large_are_refused() throws IOException {
    String answer =
        http.raw("GET /health HTTP/1.1\r\nHost: a\r\nX: " + "y".repeat(2100) + "\r\n\r\n");

    assertThat(answer)
        .startsWith("HTTP/1.1 431 ")
        .contains("application/problem+json")
        .contains(
            "the headers must have at most 2000 bytes, had more; send less, or raise bounds.headers");
  }

  @Test
  void more_than_100_headers_are_refused_before_the_rest_of_them_comes() throws IOException {
    for (String before : List.of("", "\r\n", "\r\n\r\n")) {
      String answer =
          http.raw(before + "GET /health HTTP/1.1\r\nHost: a\r\n" + "a:b\r\n".repeat(100));

      assertThat(answer)
          .startsWith("HTTP/1.1 431 ")
          .contains("application/problem+json")
          .endsWith(
              "\"detail\":\"a request must have at most 100 headers, had more; send fewer\"}");
    }
  }

  @Test
  void a_hundred_headers_are_taken() throws IOException {
    String answer =
        http.raw(
            "\r\nGET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                + "a:b\r\n".repeat(98)
                + "\r\n");

    assertThat(answer).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void lines_of_bodies_and_of_other_requests_are_not_headers() throws IOException {
    String body = "{" + "\n ".repeat(200) + "\"key\": \"lines\"}";
    String hit =
        "POST /v1/hit HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    String health = "GET /health HTTP/1.1\r\nHost: a\r\n" + "a:b\r\n".repeat(90) + "\r\n";
    String last = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

    String answers = http.raw(hit + health + health + hit + health + last);

    assertThat(answers.split("HTTP/1.1 200 ", -1)).hasSize(7);
  }

  @Test
  void a_first_line_that_is_too_long_is_refused() throws IOException {
    String answer = http.raw("GET /" + "y".repeat(2100) + " HTTP/1.1\r\nHost: a\r\n\r\n");

    assertThat(answer).contains(" 414 ").contains("the first line must have at most 2000 bytes");
  }

  @Test
  void what_is_no_http_is_refused() throws IOException {
    assertThat(http.raw("\u0001\u0002\u0003\r\n\r\n"))
        .contains(" 400 ")
        .contains("a request must be HTTP/1.1 or HTTP/2, was neither; mend the client");
  }

  @Test
  void a_body_that_drips_is_cut_off() throws IOException {
    try (Socket socket = http.connect()) {
      OutputStream out = socket.getOutputStream();
      write(
          out,
          "POST /v1/hit HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{");

      drip(out, " ");

      assertThat(available(socket.getInputStream()))
          .startsWith("HTTP/1.1 408 ")
          .contains("a request must be complete within 400 ms, was not");
    }
  }

  @Test
  void a_head_that_drips_is_cut_off() throws IOException {
    try (Socket socket = http.connect()) {
      OutputStream out = socket.getOutputStream();
      write(out, "POST /v1/hit HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nX: ");

      assertThat(drip(out, "x")).isLessThan(100);
    }
  }

  @Test
  void at_the_bound_of_connections_idle_ones_make_room() throws IOException {
    List<Socket> open = new ArrayList<>();
    try {
      for (int i = 0; i < SMALL.connections(); i++) {
        Socket socket = http.connect();
        open.add(socket);
        write(socket.getOutputStream(), "GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(socket.getInputStream().read()).isEqualTo('H');
      }

      await().ignoreExceptions().until(() -> http.get("/health").statusCode() == 200);
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
    await().ignoreExceptions().until(() -> http.get("/health").statusCode() == 200);
  }

  @Test
  void half_open_clients_do_no_harm_to_others() throws IOException {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 10; i++) {
        Socket socket = http.connect();
        slow.add(socket);
        write(
            socket.getOutputStream(),
            "POST /v1/hit HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{");
      }

      assertThat(http.post("/v1/hit", "{\"key\":\"alice\"}").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void a_key_is_bounded_in_every_place() {
    String key = "k".repeat(65);

    assertThat(detail(http.get("/check?userId=" + key)))
        .isEqualTo("userId must have at most 64 bytes of UTF-8, had 65; shorten or hash it");
    assertThat(detail(http.get("/v1/keys/default/" + key)))
        .isEqualTo("key must have at most 64 bytes of UTF-8, had 65; shorten or hash it");
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends a little every now and then, and answers how often that was possible. */
  private static int drip(OutputStream out, String drop) {
    int[] drops = {0};
    await()
        .pollInterval(Duration.ofMillis(50))
        .atMost(Duration.ofSeconds(10))
        .until(
            () -> {
              try {
                write(out, drop);
                drops[0]++;
                return false;
              } catch (SocketException closed) {
                return true;
              }
            });
    return drops[0];
  }

  private static long sendUntilClosed(OutputStream out, String chunk) throws IOException {
    long sent = 0;
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (System.nanoTime() < end) {
      try {
        write(out, chunk);
        sent++;
      } catch (SocketException closed) {
        return sent;
      }
    }
    throw new AssertionError("still open after " + sent + " chunks");
  }

  /** What has come, also if the connection was then reset. */
  private static String available(InputStream in) {
    StringBuilder text = new StringBuilder();
    try {
      for (int c = in.read(); c >= 0; c = in.read()) {
        text.append((char) c);
      }
    } catch (IOException reset) {
      return text.toString();
    }
    return text.toString();
  }
}
