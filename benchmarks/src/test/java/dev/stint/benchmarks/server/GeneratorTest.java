package dev.stint.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.benchmarks.server.RespTalk.Form;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GeneratorTest {

  private static final Requests PINGS = Requests.of(1, key -> new byte[] {'.'});

  private final AtomicInteger asked = new AtomicInteger();

  /**
   * A server that says this for each byte, and once, at the byte of this number, takes its time.
   */
  private ServerSocket server(String answer, int slow, long millis) throws IOException {
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread accepting =
        new Thread(
            () -> {
              try {
                while (true) {
                  Socket socket = server.accept();
                  new Thread(() -> answer(socket, answer, slow, millis)).start();
                }
              } catch (IOException e) {
                assertThat(server.isClosed()).isTrue();
              }
            });
    accepting.start();
    return server;
  }

  private void answer(Socket socket, String answer, int slow, long millis) {
    try (socket) {
      InputStream in = socket.getInputStream();
      while (in.read() >= 0) {
        if (asked.incrementAndGet() == slow) {
          Thread.sleep(millis); // the server's slowness is the point
        }
        socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      assertThat(e).hasMessageNotContaining("refused");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Generator to(ServerSocket server, int connections, int depth) throws IOException {
    return new Generator(
        server.getLocalPort(), connections, depth, i -> new RespTalk(PINGS.from(i), Form.ONE));
  }

  @Test
  void every_answer_is_counted_in_a_closed_loop() throws IOException {
    try (ServerSocket server = server(":1\r\n", 0, 0);
        Generator generator = to(server, 3, 16)) {
      Tally tally = generator.closed(50);
      assertThat(tally.answered()).isPositive();
      assertThat(tally.latencies().getTotalCount()).isEqualTo(asked.get());
      assertThat(tally.nanos()).isGreaterThanOrEqualTo(50_000_000);
    }
  }

  @Test
  void as_many_are_asked_as_were_wanted() throws IOException {
    try (ServerSocket server = server(":1\r\n", 0, 0);
        Generator generator = to(server, 2, 16)) {
      assertThat(generator.all(1_001).answered()).isEqualTo(1_001);
      assertThat(asked).hasValue(1_001);
    }
  }

  @Test
  void a_stall_counts_for_all_that_should_have_been_asked_in_it() throws IOException {
    try (ServerSocket server = server(":1\r\n", 100, 300);
        Generator generator = to(server, 1, 1)) {
      Tally tally = generator.open(1_000, 1_000);
      assertThat(tally.latencies().getTotalCount()).isEqualTo(1_000);
      // About 300 were due while it stood still; by their times of sending only one was late.
      assertThat(tally.latencies().getCountBetweenValues(20_000_000L, 60_000_000_000L))
          .isGreaterThan(150);
      assertThat(tally.micros(100)).isGreaterThan(290_000);
    }
  }

  @Test
  void a_wrong_answer_ends_the_run() throws IOException {
    try (ServerSocket server = server("-ERR no\r\n", 0, 0);
        Generator generator = to(server, 1, 1)) {
      assertThatThrownBy(() -> generator.closed(1_000))
          .isInstanceOf(UncheckedIOException.class)
          .hasRootCauseMessage("an answer must have the form ONE: -ERR no⏎");
    }
  }

  @Test
  void the_floors_answer_over_http_and_grpc() throws IOException {
    byte[] body = "{\"allowed\":true}".getBytes(StandardCharsets.US_ASCII);
    byte[] message = FloorProgram.likelyMessage();
    try (ServerProcess floors = ServerProcess.floors(body, message)) {
      byte[] http = Connection.sample(floors.port("http"), new HttpTalk(Requests.http(1).from(0)));
      assertThat(http).endsWith(body);
      byte[] grpc =
          Connection.sample(floors.port("grpc"), new GrpcTalk(GrpcTalk.requests(1).from(0)));
      assertThat(GrpcTalk.message(grpc)).isEqualTo(message);
      Requests requests = GrpcTalk.requests(100);
      try (Generator generator =
          new Generator(floors.port("grpc"), 2, 16, i -> new GrpcTalk(requests.from(i)))) {
        assertThat(generator.all(500).answered()).isEqualTo(500);
      }
      Requests hits = Requests.http(100);
      try (Generator generator =
          new Generator(floors.port("http"), 2, 16, i -> new HttpTalk(hits.from(i)))) {
        assertThat(generator.all(500).answered()).isEqualTo(500);
      }
    }
  }
}
