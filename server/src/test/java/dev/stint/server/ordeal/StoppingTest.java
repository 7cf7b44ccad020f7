package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.algorithm.Operation;
import dev.stint.lab.RedisServer;
import dev.stint.lab.TcpProxy;
import dev.stint.server.config.Configuration;
import dev.stint.server.engine.Policy;
import dev.stint.server.serve.Service;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client sees of a service that stops, and how long it may hold the stop up. */
class StoppingTest {

  /** What a busy machine may add to the bound. */
  private static final Duration SLACK = Duration.ofSeconds(10);

  private static final String HIT =
      "POST /v1/hit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          + "Content-Length: 26\r\n\r\n{\"policy\":\"api\",\"key\":\"a\"}";

  @TempDir Path folder;

  private final List<Socket> sockets = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private Socket connect(int port, String text) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    sockets.add(socket);
    socket.setSoTimeout(20_000);
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  private static String toTheEnd(Socket socket) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    InputStream in = socket.getInputStream();
    in.transferTo(all);
    return all.toString(StandardCharsets.ISO_8859_1);
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  private static Duration timeToClose(Service service) {
    long start = System.nanoTime();
    service.close();
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private Configuration bounded(String bounds) {
    return Setup.read(folder, Setup.WIDE + "bounds: {" + bounds + "}\n");
  }

  // ---- what was read is answered ----

  @Test
  @Tag("redis")
  void pipelined_requests_that_were_read_are_all_answered() throws Exception {
    try (RedisServer redis = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(redis.port());
        Tasks stopping = new Tasks()) {
      String yaml = "store: {url: '" + proxy.uri() + "', deadline: 10s}\nbounds: {drain: 25s}\n";
      Service service = Service.start(Setup.read(folder, Setup.WIDE + yaml));
      await().until(() -> isConnected(service));
      proxy.latency(Duration.ofMillis(400));
      long before = proxy.requestBytes();
      Socket byHttp = connect(service.httpPort(), HIT.repeat(5)); // they are decided one by one
      // 1024 may wait for the store at once. What came in the same read as the last of them is
      // kept, and what comes after that is not read.
      Socket byResp = connect(service.respPort(), "STINT.HIT api a\r\n".repeat(1500));
      await().until(() -> proxy.requestBytes() > before && proxy.requestBytes() == settled(proxy));
      stopping.once(service::close);
      String answers = toTheEnd(byHttp);
      assertThat(count(answers, "HTTP/1.1 200 OK")).isEqualTo(5);
      assertThat(count(answers.toLowerCase(Locale.ROOT), "connection: close"))
          .as("answers that are said to be the last one")
          .isEqualTo(1);
      String replies = toTheEnd(byResp);
      assertThat(count(replies, "\r\n")).isEqualTo(7 * count(replies, "*6\r\n"));
      assertThat(count(replies, "*6\r\n")).as("more than waited for the store").isGreaterThan(1024);
      stopping.join();
      assertThat(stopping.troubles()).isEmpty();
    }
  }

  private static boolean isConnected(Service service) throws Exception {
    Policy api = Objects.requireNonNull(service.engine().policies().find("api"));
    byte[] key = "b".getBytes(StandardCharsets.UTF_8);
    return !service
        .engine()
        .askAsync(Operation.PEEK, api, key, 1)
        .toCompletableFuture()
        .get(20, TimeUnit.SECONDS)
        .degraded();
  }

  private static long settled(TcpProxy proxy) throws InterruptedException {
    Thread.sleep(150);
    return proxy.requestBytes();
  }

  @Test
  void a_body_that_is_being_sent_is_waited_for_and_its_answer_is_the_last_one() throws Exception {
    try (Tasks stopping = new Tasks()) {
      Service service = Service.start(Setup.wide(folder));
      int half = HIT.length() - 5;
      Socket socket = connect(service.httpPort(), HIT + HIT.substring(0, half));
      await().until(() -> socket.getInputStream().available() > 0);
      stopping.once(service::close);
      await().until(() -> isClosed(service.httpPort()));
      socket.getOutputStream().write(HIT.substring(half).getBytes(StandardCharsets.ISO_8859_1));
      String answers = toTheEnd(socket);
      assertThat(count(answers, "HTTP/1.1 200 OK")).isEqualTo(2);
      assertThat(answers.substring(answers.lastIndexOf("HTTP/1.1"))).containsIgnoringCase("close");
      stopping.join();
      assertThat(stopping.troubles()).isEmpty();
    }
  }

  private static boolean isClosed(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  // ---- the stop ends ----

  @Test
  void a_stop_ends_within_its_bound_whatever_clients_do() throws Exception {
    try (Tasks rude = new Tasks()) {
      Service service = Service.start(bounded("drain: 2s"));
      for (int port : List.of(service.httpPort(), service.adminPort())) {
        Socket deaf = connect(port, "");
        rude.once(() -> flood(deaf, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      }
      Socket endless = connect(service.httpPort(), "");
      rude.once(() -> flood(endless, HIT));
      rude.once(() -> discard(endless));
      Socket deaf = connect(service.respPort(), "");
      rude.once(() -> flood(deaf, "STINT.HIT api a\r\n"));
      Socket endlessResp = connect(service.respPort(), "");
      rude.once(() -> flood(endlessResp, "STINT.HIT api a\r\n"));
      rude.once(() -> discard(endlessResp));
      Socket dribbling = connect(service.httpPort(), HIT.replace("26", "260000"));
      rude.once(() -> dribble(dribbling));
      Socket silentStream = connect(service.grpcPort(), "");
      silentStream.getOutputStream().write(H2.join(H2.hello(), H2.call(1), H2.data(1, (byte) 0)));
      connect(service.adminPort(), "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
      try (Rls watching = Rls.connect(service.grpcPort())) {
        Iterator<HealthCheckResponse> told =
            HealthGrpc.newBlockingStub(watching.channel())
                .watch(HealthCheckRequest.getDefaultInstance());
        assertThat(told.next().getStatus()).isEqualTo(ServingStatus.SERVING);
        Thread.sleep(300); // until buffers are full
        assertThat(timeToClose(service)).isLessThan(Duration.ofSeconds(2).plus(SLACK));
      }
      close();
    }
  }

  /** Sends without end, until the connection is closed. */
  private static void flood(Socket socket, String request) {
    byte[] requests = request.repeat(100).getBytes(StandardCharsets.ISO_8859_1);
    try {
      while (true) {
        socket.getOutputStream().write(requests);
      }
    } catch (IOException closed) {
      // at last
    }
  }

  private static void discard(Socket socket) {
    try {
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException closed) {
      // at last
    }
  }

  private static void dribble(Socket socket) throws InterruptedException {
    try {
      while (true) {
        socket.getOutputStream().write(' ');
        TimeUnit.MILLISECONDS.sleep(20);
      }
    } catch (IOException closed) {
      // at last
    }
  }

  @Test
  void a_stop_does_not_wait_for_clients_that_say_nothing() throws Exception {
    Service service = Service.start(bounded("drain: 25s"));
    String[] beginnings = {
      "", "GET /v1", "PRI * HTTP/2.0\r\n", "*2\r\n$4\r\n", "\u0016\u0003\u0001"
    };
    for (String beginning : beginnings) {
      connect(service.httpPort(), beginning);
      connect(service.grpcPort(), beginning);
      connect(service.respPort(), beginning);
      connect(service.adminPort(), beginning);
    }
    Socket quietHttp2 = connect(service.grpcPort(), "");
    quietHttp2.getOutputStream().write(H2.hello());
    assertThat(timeToClose(service)).isLessThan(Duration.ofSeconds(18));
  }

  @Test
  void a_stop_does_not_wait_for_half_a_handshake() throws Exception {
    Certificates.make(folder, "server")
        .write(folder.resolve("server.pem"), folder.resolve("server-key.pem"));
    String tls =
        "{address: 127.0.0.1, port: 0, tls: {certificate: server.pem, key: server-key.pem}}";
    String yaml = Setup.WIDE.replace("\"127.0.0.1:0\"", tls) + "bounds: {drain: 25s}\n";
    Service service = Service.start(Setup.read(folder, yaml));
    for (String beginning : List.of("", "\u0016\u0003\u0001\u0002\u0000\u0001")) {
      connect(service.httpPort(), beginning);
      connect(service.grpcPort(), beginning);
      connect(service.respPort(), beginning);
      connect(service.adminPort(), beginning);
    }
    assertThat(timeToClose(service)).isLessThan(Duration.ofSeconds(18));
  }

  // ---- the delay before it ----

  @Test
  void before_its_listeners_close_a_service_answers_but_is_not_ready() throws Exception {
    try (Tasks stopping = new Tasks()) {
      Service service = Service.start(bounded("shutdown-delay: 3s"));
      try (Rls grpc = Rls.connect(service.grpcPort());
          Http before = Http.connect(service.httpPort())) {
        HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(grpc.channel());
        HealthCheckRequest all = HealthCheckRequest.getDefaultInstance();
        Iterator<HealthCheckResponse> told = health.watch(all);
        assertThat(told.next().getStatus()).isEqualTo(ServingStatus.SERVING);
        assertThat(before.get("/ready").status()).isEqualTo(200);
        long start = System.nanoTime();
        stopping.once(service::close);
        assertThat(told.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
        assertThat(health.check(all).getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
        Http.Answer unready = before.get("/ready");
        assertThat(unready.status()).isEqualTo(503);
        assertThat(unready.headers()).containsEntry("connection", "close");
        try (Http admin = Http.connect(service.adminPort());
            Http after = Http.connect(service.httpPort())) {
          assertThat(admin.get("/ready").status()).isEqualTo(503);
          Http.Answer hit = after.hit("api", "a");
          assertThat(hit.status()).isEqualTo(200);
          assertThat(hit.headers()).containsEntry("connection", "close");
        }
        assertThat(told.hasNext()).isFalse();
        stopping.join();
        assertThat(System.nanoTime() - start).isGreaterThan(Duration.ofSeconds(3).toNanos());
        assertThat(stopping.troubles()).isEmpty();
      }
    }
  }
}
