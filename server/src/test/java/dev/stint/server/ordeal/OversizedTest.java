package dev.stint.server.ordeal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.stint.lab.Resp;
import dev.stint.server.config.StoreSettings;
import dev.stint.server.net.MemoryPlan;
import dev.stint.server.serve.Service;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is too much is refused before it costs anything, and nobody else notices. */
class OversizedTest {

  private static final long MOST_HELD = 100 * Heap.MIB;
  private static final long MOST_HELD_AFTER = 32 * Heap.MIB;
  private static final String POST =
      "POST /v1/hit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

  @TempDir Path folder;

  private Service service;
  private Healthy healthy;
  private long before;

  @BeforeEach
  void start() throws Exception {
    service =
        Service.start(
            Setup.wide(folder),
            MemoryPlan.of(StoreSettings.memory(), 192 * Heap.MIB, 64 * Heap.MIB));
    healthy = Healthy.on(service);
    before = Heap.held();
  }

  @AfterEach
  void everybodyElseIsWell() throws Exception {
    try {
      healthy.judge(1);
      await().until(() -> Heap.held() - before < MOST_HELD_AFTER);
    } finally {
      healthy.close();
      service.close();
    }
  }

  private Http http() throws IOException {
    return Http.connect(service.httpPort());
  }

  // ---- http ------------------------------------------------------------------------------------

  @Test
  void a_body_that_says_it_is_too_large() throws IOException {
    try (Http http = http()) {
      http.send(POST + "Content-Length: 1000000000000\r\n\r\n");
      assertThat(http.read().status()).isEqualTo(413);
    }
  }

  @Test
  void a_body_that_becomes_too_large() throws IOException {
    try (Http http = http()) {
      http.send(POST + "Transfer-Encoding: chunked\r\n\r\n");
      String chunk = "10000\r\n" + " ".repeat(1 << 16) + "\r\n";
      try {
        for (int i = 0; i < 1000; i++) {
          http.send(chunk);
        }
      } catch (IOException e) {
        // it has heard enough
      }
      assertThat(statusOf(http)).isIn(413, CLOSED);
    }
  }

  private static final int CLOSED = 0;

  private static int statusOf(Http http) {
    try {
      return http.read().status();
    } catch (IOException e) {
      return CLOSED;
    }
  }

  @Test
  void headers_that_are_too_large() throws IOException {
    try (Http http = http()) {
      http.send("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(20_000) + "\r\n\r\n");
      assertThat(statusOf(http)).isIn(431, CLOSED);
    }
    try (Http http = http()) {
      http.send("GET /" + "x".repeat(20_000) + " HTTP/1.1\r\n\r\n");
      assertThat(statusOf(http)).isIn(414, CLOSED);
    }
  }

  @Test
  void a_key_of_a_mebibyte() throws IOException {
    String key = "k".repeat((1 << 20) - 100);
    try (Http http = http()) {
      assertThat(http.hit("api", key).status()).isEqualTo(400);
      assertThat(statusOf(http, "/v1/keys/api/" + key)).isIn(400, 414, CLOSED);
    }
    try (Resp resp = Resp.connect(service.respPort())) {
      assertThatThrownBy(() -> resp.list("STINT.HIT", "api", key))
          .isInstanceOf(RuntimeException.class);
    }
    try (Rls rls = Rls.connect(service.grpcPort())) {
      assertRefused(rls, Rls.request("user", key));
    }
  }

  private static int statusOf(Http http, String path) {
    try {
      return http.get(path).status();
    } catch (IOException e) {
      return CLOSED;
    }
  }

  @Test
  void a_batch_of_a_million() throws IOException {
    String checks = "{\"checks\":[" + "1,".repeat(500_000) + "1]}";
    try (Http http = http()) {
      assertThat(http.post("/v1/batch", checks.substring(0, 999_000) + "1]}").status())
          .isEqualTo(400);
    }
    try (Http http = http()) {
      String million = "{\"checks\":[" + "{\"key\":\"a\"},".repeat(1_000_000) + "]}";
      int status;
      try {
        status = http.post("/v1/batch", million).status();
      } catch (IOException e) {
        status = statusOf(http);
      }
      assertThat(status).isIn(413, CLOSED);
    }
  }

  @Test
  void many_bodies_that_are_as_large_as_may_be_at_once() throws IOException {
    List<Http> clients = new ArrayList<>();
    String head = POST + "Content-Length: " + (1 << 20) + "\r\n\r\n";
    String body = " ".repeat((1 << 20) - 1);
    for (int i = 0; i < 200; i++) {
      Http http = http();
      http.send(head);
      try {
        http.send(body);
      } catch (IOException e) {
        // refused
      }
      clients.add(http);
    }
    assertHeld();
    for (Http client : clients) {
      client.close();
    }
  }

  private void assertHeld() {
    long held = Heap.held() - before;
    System.out.println("held " + (held >> 10) + " KiB");
    assertThat(held).as("held").isLessThan(MOST_HELD);
  }

  // ---- grpc ------------------------------------------------------------------------------------

  private static void assertRefused(Rls rls, RateLimitRequest request) {
    assertThatThrownBy(() -> rls.ask(request))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e ->
                assertThat(e.getStatus().getCode())
                    .isIn(
                        Status.Code.INVALID_ARGUMENT,
                        Status.Code.RESOURCE_EXHAUSTED,
                        Status.Code.CANCELLED));
  }

  @Test
  void a_million_descriptors() {
    RateLimitRequest one = Rls.request("user", "a");
    RateLimitDescriptor descriptor = one.getDescriptors(0);
    RateLimitRequest.Builder million = one.toBuilder();
    RateLimitRequest.Builder small = one.toBuilder();
    for (int i = 0; i < 1_000_000; i++) {
      million.addDescriptors(descriptor);
      if (i < 400_000) {
        small.addDescriptors(RateLimitDescriptor.getDefaultInstance()); // two bytes each
      }
    }
    try (Rls rls = Rls.connect(service.grpcPort())) {
      assertRefused(rls, million.build());
      assertRefused(rls, small.build());
      assertThat(rls.hit("user", "still well").getNumber()).isEqualTo(1);
    }
  }

  @Test
  void many_messages_that_are_as_large_as_may_be_at_once() throws IOException {
    byte[] head = ByteBuffer.allocate(5).put((byte) 0).putInt(1 << 20).array();
    byte[] piece = new byte[16_000];
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.grpcPort());
      sockets.add(socket);
      OutputStream out = socket.getOutputStream();
      drain(socket);
      try {
        out.write(H2.hello());
        for (int stream = 1; stream < 200; stream += 2) {
          out.write(H2.join(H2.call(stream), H2.data(stream, head)));
        }
        for (int sent = 0; sent < (1 << 20) - piece.length; sent += piece.length) {
          for (int stream = 1; stream < 200; stream += 2) {
            out.write(H2.data(stream, piece));
          }
        }
      } catch (IOException e) {
        // refused
      }
    }
    assertHeld();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  /** Reads what comes, so that nobody waits for it. */
  private static void drain(Socket socket) {
    Thread thread =
        new Thread(
            () -> {
              byte[] buffer = new byte[1 << 16];
              try {
                while (socket.getInputStream().read(buffer) >= 0) {}
              } catch (IOException e) {
                // it is over
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  // ---- resp ------------------------------------------------------------------------------------

  @Test
  void a_request_of_a_million_words() throws IOException {
    assertProtocolError("*1000000\r\n");
  }

  @Test
  void a_word_of_half_a_gibibyte() throws IOException {
    assertProtocolError("*2\r\n$4\r\nPING\r\n$536870912\r\n");
  }

  @Test
  void a_line_without_end() throws IOException {
    assertProtocolError("x".repeat(2 << 20));
  }

  private void assertProtocolError(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.respPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      byte[] answer = socket.getInputStream().readAllBytes();
      assertThat(new String(answer, US_ASCII)).startsWith("-ERR Protocol error");
    }
  }

  @Test
  void many_words_that_are_as_large_as_may_be_at_once() throws IOException {
    byte[] request = new byte[900_000];
    Arrays.fill(request, (byte) 'x');
    byte[] head = "*2\r\n$4\r\nPING\r\n$1000000\r\n".getBytes(US_ASCII);
    System.arraycopy(head, 0, request, 0, head.length);
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.respPort());
      try {
        socket.getOutputStream().write(request);
      } catch (IOException e) {
        // refused
      }
      sockets.add(socket);
    }
    assertHeld();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
