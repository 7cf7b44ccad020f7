package dev.stint.server.ordeal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.server.config.Bounds;
import dev.stint.server.config.Configuration;
import dev.stint.server.serve.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every connection that the service closes is counted under its cause, once. */
class RejectedConnectionsTest {

  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String CLOSE = "Connection: close\r\n\r\n";
  private static final String GET = "GET /health HTTP/1.1\r\nHost: localhost\r\n";

  @TempDir Path folder;

  private Configuration configuration(String address) {
    String yaml = Setup.WIDE.replace("\"127.0.0.1:0\"", address);
    return Setup.read(
        folder, yaml.replace("listeners: {", "listeners: {metrics: \"127.0.0.1:0\", "));
  }

  private Service plain(Duration idle) {
    Bounds bounds = Setup.impatient(idle);
    return Service.start(configuration("\"127.0.0.1:0\"").withBounds(bounds));
  }

  private Service encrypted(Duration idle) throws Exception {
    Certificates.make(folder, "server")
        .write(folder.resolve("server.pem"), folder.resolve("server-key.pem"));
    String tls =
        "{address: 127.0.0.1, port: 0, tls: {certificate: server.pem, key: server-key.pem}}";
    return Service.start(configuration(tls).withBounds(Setup.impatient(idle)));
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(Math.toIntExact(LONG.toMillis()));
    return socket;
  }

  private static int port(Service service, String wire) {
    return Map.of(
            "http", service.httpPort(),
            "grpc", service.grpcPort(),
            "resp", service.respPort(),
            "admin", service.adminPort(),
            "metrics", service.metricsPort())
        .get(wire);
  }

  private static String metrics(Service service) throws IOException {
    try (Socket socket = connect(service.metricsPort())) {
      send(socket, ("GET /metrics HTTP/1.1\r\nHost: localhost\r\n" + CLOSE).getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  private static void send(Socket socket, byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** Reads until the service closes the connection, or resets it. */
  private static void awaitEnd(Socket socket) {
    try {
      byte[] unused = socket.getInputStream().readAllBytes();
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("the connection must be closed, was not", e);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("reset");
    }
  }

  /** All rejections that are not zero, such as {@code idle http 1}. */
  private static List<String> rejections(Service service) throws IOException {
    return metrics(service)
        .lines()
        .filter(line -> line.startsWith("stint_rejected_") && !line.endsWith(" 0.0"))
        .map(
            line ->
                line.replaceAll(
                    ".*cause=\"([a-z_]+)\",wire=\"([a-z]+)\"} ([0-9]+)\\.0", "$1 $2 $3"))
        .toList();
  }

  private static void awaitRejections(Service service, String... rejections) {
    await()
        .atMost(LONG)
        .untilAsserted(() -> assertThat(rejections(service)).containsExactlyInAnyOrder(rejections));
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Idle(String wire, String name, byte[] sent) {

    @Override
    public String toString() {
      return wire + ", " + name;
    }
  }

  static Stream<Idle> idle() {
    byte[] none = {};
    return Stream.of(
        new Idle("http", "silent", none),
        new Idle("grpc", "silent", none),
        new Idle("resp", "silent", none),
        new Idle("admin", "silent", none),
        new Idle("http", "after an answer", (GET + "\r\n").getBytes(US_ASCII)),
        new Idle("resp", "after an answer", "PING\r\n".getBytes(US_ASCII)),
        new Idle("grpc", "after an answer", H2.join(H2.hello(), H2.ping())),
        new Idle("http", "in HTTP/2", H2.hello()),
        new Idle("admin", "after an answer", (GET + "\r\n").getBytes(US_ASCII)),
        new Idle("http", "in a head", GET.getBytes(US_ASCII)));
  }

  @ParameterizedTest
  @MethodSource("idle")
  void idle_connections(Idle idle) throws Exception {
    try (Service service = plain(IDLE);
        Socket socket = connect(port(service, idle.wire))) {
      send(socket, idle.sent);
      awaitEnd(socket);

      awaitRejections(service, "idle " + idle.wire + " 1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "grpc", "resp", "admin"})
  void handshakes_that_fail(String wire) throws Exception {
    try (Service service = encrypted(LONG);
        Socket socket = connect(port(service, wire))) {
      send(socket, "GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
      awaitEnd(socket);

      awaitRejections(service, "tls_handshake " + wire + " 1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "grpc"})
  void connections_that_break_the_rules_of_http2(String wire) throws Exception {
    try (Service service = plain(LONG);
        Socket socket = connect(port(service, wire))) {
      send(socket, H2.join(H2.hello(), H2.data(0, (byte) 1))); // there is no stream 0
      awaitEnd(socket);

      awaitRejections(service, "protocol " + wire + " 1");
    }
  }

  @Test
  void a_call_that_is_too_slow_counts_as_a_request() throws Exception {
    try (Service service = plain(IDLE);
        Socket socket = connect(service.grpcPort())) {
      send(socket, H2.join(H2.hello(), H2.call(1), H2.data(1, (byte) 0)));

      await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                send(socket, H2.ping()); // so that the connection itself is not idle
                assertThat(rejections(service)).contains("too_slow grpc 1");
              });
    }
  }

  @Test
  void connections_that_a_client_ends_are_not_counted() throws Exception {
    try (Service service = plain(LONG)) {
      for (String wire : List.of("http", "grpc", "resp", "admin", "metrics")) {
        try (Socket unused = connect(port(service, wire))) {
          assertThat(unused.isConnected()).isTrue();
        }
      }
      try (Socket socket = connect(service.httpPort())) {
        send(socket, (GET + CLOSE).getBytes(US_ASCII));
        awaitEnd(socket);
      }
      try (Socket socket = connect(service.respPort())) {
        send(socket, "QUIT\r\n".getBytes(US_ASCII));
        awaitEnd(socket);
      }

      await()
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(metrics(service))
                      .contains("stint_connections{wire=\"http\"} 0.0")
                      .contains("stint_connections{wire=\"resp\"} 0.0"));
      assertThat(rejections(service)).isEmpty();
    }
  }
}
