package dev.stint.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.UTF_8);
  private static final String PONG = "+PONG\r\n";

  private static RedisServer server;

  private TcpProxy proxy;
  private Socket client;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void connect() throws IOException {
    server.ask("FLUSHALL");
    proxy = TcpProxy.to(server.port());
    client = newClient();
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    proxy.close();
  }

  @Test
  void forwards_both_ways_and_counts() throws IOException {
    send(PING);

    assertThat(receive(7)).isEqualTo(PONG);
    assertThat(proxy.requestBytes()).isEqualTo(6);
    Await.until("the count of the reply", LIMIT, () -> proxy.replyBytes() == 7);
    assertThat(proxy.uri()).isEqualTo("redis://127.0.0.1:" + proxy.port());
  }

  @Test
  void forwards_large_values_unchanged() {
    String large = "0123456789".repeat(300_000);
    try (Resp resp = Resp.connect(proxy.port())) {
      resp.text("SET", "large", large);
      assertThat(resp.text("GET", "large").equals(large)).isTrue();
    }
  }

  @Test
  void serves_many_connections_and_notices_their_end() throws IOException {
    List<Resp> clients = new ArrayList<>();
    for (int i = 0; i < 20; i++) clients.add(Resp.connect(proxy.port()));
    clients.forEach(resp -> assertThat(resp.text("PING")).isEqualTo("PONG"));
    send(PING);
    assertThat(receive(7)).isEqualTo(PONG);
    assertThat(proxy.connections()).isEqualTo(21);

    clients.forEach(Resp::close);
    Await.until("the end of twenty connections", LIMIT, () -> proxy.connections() == 1);
  }

  @Test
  void adds_its_latency_each_way() throws IOException {
    proxy.latency(Duration.ofMillis(50));

    assertThat(roundTripMillis()).isBetween(100L, 1_000L);
  }

  @Test
  void delays_each_request_by_itself() throws IOException {
    proxy.latency(Duration.ofMillis(50));
    long start = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      send(PING);
      Await.pause();
    }
    receive(20 * 7);

    // 20 pauses of 10 ms and one round trip; one after another it would be 2 s.
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(ms(250), ms(1_500));
  }

  @Test
  void cuts_at_the_very_byte_of_a_request() throws IOException {
    byte[] two = "INCR a\r\nINCR b\r\n".getBytes(StandardCharsets.UTF_8);
    proxy.cutAfterRequestBytes(two.length - 1);
    send(two);
    proxy.awaitCut(LIMIT);

    assertThat(proxy.requestBytes()).isEqualTo(two.length - 1);
    assertThat(proxy.connections()).isZero();
    Await.until("the first command", LIMIT, () -> server.ask("GET", "a").equals("1"));
    try (Resp resp = server.resp()) {
      assertThat(resp.call("GET", "b")).isNull();
    }
  }

  @Test
  void lets_a_whole_request_through_before_the_cut() throws IOException {
    byte[] request = "INCR a\r\n".getBytes(StandardCharsets.UTF_8);
    proxy.cutAfterRequestBytes(request.length);
    send(request);
    proxy.awaitCut(LIMIT);

    Await.until("the command", LIMIT, () -> server.ask("GET", "a").equals("1"));
    assertThat(proxy.replyBytes()).isZero();
  }

  @Test
  void cuts_at_the_very_byte_of_a_reply() throws IOException {
    proxy.cutAfterReplyBytes(10);
    send(PING);
    send(PING);

    assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("+PONG\r\n+PO");
    proxy.awaitCut(LIMIT);
    assertThat(proxy.replyBytes()).isEqualTo(10);
  }

  @Test
  void counts_a_cut_over_all_connections_and_closes_them_all() throws IOException {
    proxy.cutAfterReplyBytes(14);
    try (Socket second = newClient()) {
      send(PING);
      assertThat(receive(7)).isEqualTo(PONG);
      second.getOutputStream().write(PING);
      assertThat(second.getInputStream().readAllBytes()).hasSize(7);

      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void cuts_at_the_next_byte_when_none_may_pass() throws IOException {
    proxy.cutAfterRequestBytes(0);
    assertThat(proxy.connections()).isEqualTo(1);
    send(PING);
    proxy.awaitCut(LIMIT);

    assertThat(proxy.requestBytes()).isZero();
  }

  @Test
  void cuts_once() throws IOException {
    proxy.cutAfterRequestBytes(3);
    send(PING);
    proxy.awaitCut(LIMIT);
    client.close();
    client = newClient();
    send(PING);

    assertThat(receive(7)).isEqualTo(PONG);
  }

  @Test
  void says_when_no_cut_came() {
    proxy.cutAfterReplyBytes(1);

    assertThatThrownBy(() -> proxy.awaitCut(ms(30)))
        .hasMessage("the cut must happen within PT0.03S; it did not");
  }

  @Test
  void swallows_replies_and_forwards_requests() throws IOException {
    proxy.swallowReplies(true);
    send("INCR a\r\n".getBytes(StandardCharsets.UTF_8));
    Await.until("the command", LIMIT, () -> server.ask("GET", "a").equals("1"));
    assertSilent();
    proxy.swallowReplies(false);
    send(PING);

    assertThat(receive(7)).isEqualTo(PONG);
  }

  @Test
  void resets_all_connections() throws IOException {
    send(PING);
    receive(7);
    proxy.reset();

    assertThatThrownBy(() -> client.getInputStream().read())
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("reset");
    assertThat(proxy.connections()).isZero();
  }

  @Test
  void refuses_and_accepts_again_on_the_same_port() throws IOException {
    proxy.refuse(true);
    assertThatThrownBy(() -> Resp.connect(proxy.port()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("refused");
    send(PING);
    assertThat(receive(7)).isEqualTo(PONG);

    proxy.refuse(false);
    try (Resp resp = Resp.connect(proxy.port())) {
      assertThat(resp.text("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void forwards_in_slices() throws IOException {
    proxy.slice(3);
    send("ECHO 0123456789\r\n".getBytes(StandardCharsets.UTF_8));
    List<Integer> reads = new ArrayList<>();
    byte[] buffer = new byte[100];
    for (int total = 0;
        total < "$10\r\n0123456789\r\n".length();
        total += reads.get(reads.size() - 1)) {
      reads.add(client.getInputStream().read(buffer));
    }

    // The system may join slices again on their way, but not all of them with the first.
    assertThat(reads).hasSizeGreaterThan(1);
  }

  @Test
  void holds_everything_while_paused() throws IOException {
    proxy.pause(true);
    send(PING);
    assertSilent();
    assertThat(proxy.requestBytes()).isZero();
    assertThat(proxy.connections()).isEqualTo(1);
    proxy.pause(false);

    assertThat(receive(7)).isEqualTo(PONG);
  }

  @Test
  void closes_the_client_when_there_is_no_server() throws IOException {
    try (TcpProxy vain = TcpProxy.to(Ports.free());
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), vain.port())) {
      socket.setSoTimeout((int) LIMIT.toMillis());
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void passes_on_that_the_server_died() throws IOException {
    try (RedisServer mortal = RedisServer.start();
        TcpProxy before = TcpProxy.to(mortal.port());
        Resp resp = Resp.connect(before.port())) {
      resp.text("PING");
      mortal.kill();

      assertThatThrownBy(() -> resp.call("PING")).isInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void leaves_no_thread_behind() {
    proxy.pause(true);
    assertThatCode(() -> send(PING)).doesNotThrowAnyException();
    proxy.close();

    Await.until("the end of the threads", LIMIT, () -> proxyThreads().isEmpty());
  }

  private static List<String> proxyThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("proxy: "))
        .toList();
  }

  /** Returns when the proxy knows the connection too. */
  private Socket newClient() throws IOException {
    int before = proxy.connections();
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) LIMIT.toMillis());
    Await.until("the connection", LIMIT, () -> proxy.connections() > before);
    return socket;
  }

  private void send(byte[] bytes) throws IOException {
    client.getOutputStream().write(bytes);
  }

  private String receive(int bytes) throws IOException {
    return new String(client.getInputStream().readNBytes(bytes), StandardCharsets.UTF_8);
  }

  private void assertSilent() throws IOException {
    client.setSoTimeout(100);
    assertThatThrownBy(() -> client.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    client.setSoTimeout((int) LIMIT.toMillis());
  }

  private long roundTripMillis() throws IOException {
    long start = System.nanoTime();
    send(PING);
    receive(7);
    return (System.nanoTime() - start) / 1_000_000;
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }
}
