package dev.stint.server.ordeal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.lab.Resp;
import dev.stint.server.config.Bounds;
import dev.stint.server.serve.Service;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who connects and does not come to the point is shown out, and nobody else notices. */
class SlowClientsTest {

  private static final Duration IDLE = Duration.ofSeconds(1);

  /** The bound is kept in coarse steps, and the machine is not idle. */
  private static final Duration MERCY = Duration.ofSeconds(6);

  private static final int CROWD = 1000;
  private static final int FEW = 10;
  private static final long MOST_HELD_BY_EACH = 64 << 10;
  private static final byte[] NONE = {};

  @TempDir Path folder;

  /** How a request begins that never ends: what comes at once, and what trickles in after it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Slow(String wire, String name, byte[] begin, byte[] drip) {

    static Slow of(String wire, String name, String begin, String drip) {
      return new Slow(wire, name, begin.getBytes(US_ASCII), drip.getBytes(US_ASCII));
    }

    @Override
    public String toString() {
      return wire + ", " + name;
    }
  }

  private static final String POST =
      "POST /v1/hit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

  static Stream<Slow> slow() {
    byte[] hello = H2.hello();
    return Stream.of(
        Slow.of("http", "part of a line", "GET /che", "k"),
        Slow.of("http", "part of the headers", "GET / HTTP/1.1\r\nX: ", "y"),
        Slow.of("http", "part of a body", POST + "Content-Length: 1000\r\n\r\n{", " "),
        Slow.of(
            "http",
            "part of a chunked body",
            POST + "Transfer-Encoding: chunked\r\n\r\n",
            "1\r\n \r\n"),
        Slow.of(
            "http",
            "part of an unwanted body",
            "POST /no HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
            " "),
        Slow.of("resp", "part of a count", "*", "0"),
        Slow.of("resp", "part of a bulk", "*3\r\n$9\r\nSTINT.HIT\r\n$1000\r\na", "b"),
        Slow.of("resp", "part of a line", "PING", "G"),
        new Slow("grpc", "only a preface", H2.PREFACE, H2.frame((byte) 4, 0, 0, NONE)),
        new Slow("grpc", "only pings", hello, H2.ping()),
        new Slow("grpc", "part of the headers", H2.join(hello, H2.partOfCall(1)), H2.more(1)),
        new Slow(
            "grpc",
            "part of a message",
            H2.join(hello, H2.call(1), H2.data(1, (byte) 0, (byte) 0)),
            H2.data(1, (byte) 0)),
        new Slow("grpc", "a call without a message", H2.join(hello, H2.call(1)), H2.ping()),
        Slow.of("admin", "part of a line", "GET /metr", "i"),
        Slow.of(
            "admin",
            "an unwanted body",
            "GET /ready HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
            " "),
        Slow.of("admin", "part of the headers", "GET /metrics HTTP/1.1\r\nX: ", "y"));
  }

  private static int port(Service service, String wire) {
    Map<String, ToIntFunction<Service>> ports =
        Map.of(
            "http", Service::httpPort,
            "grpc", Service::grpcPort,
            "resp", Service::respPort,
            "admin", Service::adminPort);
    return ports.get(wire).applyAsInt(service);
  }

  private Service service(Duration idle) {
    return Service.start(Setup.wide(folder).withBounds(Setup.impatient(idle)));
  }

  @Test
  void a_thousand_half_open_connections_are_closed_and_cost_little() throws Exception {
    Duration idle = IDLE.multipliedBy(3); // those who behave may be held up by the collector
    try (Service service = service(idle);
        Healthy healthy = Healthy.on(service)) {
      List<Slow> kinds = new ArrayList<>(slow().toList());
      for (String wire : List.of("http", "resp", "grpc", "admin")) {
        kinds.add(Slow.of(wire, "silence", "", ""));
      }
      long before = Heap.held();
      List<Socket> crowd = new ArrayList<>();
      for (int i = 0; i < CROWD; i++) {
        Slow kind = kinds.get(i % kinds.size());
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(service, kind.wire));
        socket.getOutputStream().write(kind.begin);
        crowd.add(socket);
      }
      long held = Heap.held() - before;
      System.out.printf("a crowd of %d holds %d KiB%n", CROWD, held >> 10);
      long start = System.nanoTime();
      for (int i = 0; i < CROWD; i++) {
        long left = idle.plus(MERCY).toNanos() - (System.nanoTime() - start);
        awaitEnd(crowd.get(i), left / 1_000_000, kinds.get(i % kinds.size()).toString());
      }
      healthy.judge(20);
      assertThat(held).as("held by all").isLessThan(CROWD * MOST_HELD_BY_EACH);
    }
  }

  @ParameterizedTest
  @MethodSource("slow")
  void who_sends_a_byte_now_and_then_is_cut_too(Slow slow) throws Exception {
    try (Service service = service(IDLE);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(service, slow.wire));
        Tasks tasks = new Tasks()) {
      socket.setTcpNoDelay(true);
      socket.getOutputStream().write(slow.begin);
      tasks.again(
          () -> {
            Thread.sleep(IDLE.toMillis() / 5);
            try {
              socket.getOutputStream().write(slow.drip);
            } catch (IOException e) {
              Thread.sleep(IDLE.toMillis()); // it is cut, as it should be
            }
          });
      awaitEnd(socket, IDLE.plus(MERCY).toMillis(), slow.toString());
    }
  }

  /** Reads until the service closes; an answer that says why may come before. */
  private static void awaitEnd(Socket socket, long millis, String who) throws IOException {
    long end = System.nanoTime() + millis * 1_000_000;
    byte[] buffer = new byte[4096];
    try (socket) {
      while (true) {
        long left = (end - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          throw new AssertionError(who + ": must be closed by now");
        }
        socket.setSoTimeout((int) left);
        if (socket.getInputStream().read(buffer) < 0) {
          return;
        }
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError(who + ": must be closed by now", e);
    } catch (IOException e) {
      // reset: closed all the same
    }
  }

  @Test
  void a_request_that_came_in_two_pieces_is_not_held_against_a_later_one() throws Exception {
    try (Service service = service(IDLE.multipliedBy(3));
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.respPort())) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(10_000);
      long start = System.nanoTime();
      while (System.nanoTime() - start < IDLE.multipliedBy(5).toNanos()) {
        socket.getOutputStream().write("PI".getBytes(US_ASCII));
        Thread.sleep(IDLE.toMillis() / 4);
        socket.getOutputStream().write("NG\r\n".getBytes(US_ASCII));
        assertThat(new String(socket.getInputStream().readNBytes(7), US_ASCII))
            .isEqualTo("+PONG\r\n");
      }
    }
  }

  private Service serviceForFew() {
    Bounds usual = Bounds.standard();
    return Service.start(
        Setup.wide(folder)
            .withBounds(
                new Bounds(
                    usual.body(),
                    usual.headers(),
                    usual.key(),
                    usual.batch(),
                    usual.descriptors(),
                    FEW,
                    usual.idle(),
                    usual.drain())));
  }

  @Test
  void at_the_bound_silent_connections_make_room_for_clients_that_ask() throws Exception {
    try (Service service = serviceForFew()) {
      List<Socket> silent = new ArrayList<>();
      for (String wire : List.of("http", "grpc", "resp")) {
        for (int i = 0; i < FEW; i++) {
          silent.add(new Socket(InetAddress.getLoopbackAddress(), port(service, wire)));
        }
      }

      await().until(() -> answers(service.httpPort()));
      await().until(() -> pongs(service.respPort()));
      try (Rls rls = Rls.connect(service.grpcPort())) {
        await().ignoreExceptions().until(() -> rls.hit("user", "a") == Code.OK);
      }
      for (int i = 0; i < silent.size(); i += FEW) {
        List<Socket> ofWire = silent.subList(i, i + FEW);
        await().until(() -> ofWire.stream().anyMatch(SlowClientsTest::hasEnded));
      }
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  private static boolean answers(int port) {
    try (Http client = Http.connect(port)) {
      return client.hit("api", "a").status() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean hasEnded(Socket socket) {
    try {
      socket.setSoTimeout(1);
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  private static boolean pongs(int port) {
    try (Resp client = Resp.connect(port)) {
      return client.text("PING").equals("PONG");
    } catch (RuntimeException e) {
      return false;
    }
  }

  @Test
  void those_who_ask_much_over_resp_and_read_nothing_hold_little() throws Exception {
    try (Service service = service(Duration.ofMinutes(1))) {
      deaf(service.respPort(), ("ECHO " + "x".repeat(4000) + "\r\n").repeat(16));
    }
  }

  private static void deaf(int port, String asked) throws Exception {
    byte[] much = asked.getBytes(US_ASCII);
    long before = Heap.held();
    List<SocketChannel> deaf = new ArrayList<>();
    for (int i = 0; i < CROWD / 10; i++) {
      SocketChannel one =
          SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      one.configureBlocking(false);
      deaf.add(one);
    }
    for (int full = 0; full < 5; full++) { // what was on its way makes room for some more
      for (SocketChannel one : deaf) {
        ByteBuffer next = ByteBuffer.wrap(much);
        while (one.write(next) > 0 || !next.hasRemaining()) {
          full = 0;
          next = next.hasRemaining() ? next : ByteBuffer.wrap(much);
        }
      }
      Thread.sleep(100);
    }
    long held = Heap.held() - before;
    System.out.printf("%d who read nothing hold %d KiB%n", deaf.size(), held >> 10);
    for (SocketChannel one : deaf) {
      one.close();
    }
    assertThat(held).as("held by all").isLessThan(10 * MOST_HELD_BY_EACH * deaf.size());
  }
}
