package dev.stint.server.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.net.InternalErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whatever clients send, the log has few lines and no stack trace. Sizes: {@code stint.junk}
 * connections for each listener.
 */
class LogFloodTest {

  private static final int CONNECTIONS = Integer.getInteger("stint.junk", 60);

  /** A preface and settings of HTTP/2, after which anything may follow. */
  private static final byte[] HTTP2 =
      bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "000000040000000000");

  private static final List<byte[]> JUNK =
      List.of(
          bytes("GET / HTTP/1.1\r\nHost: [\r\n\r\n", ""),
          bytes("CONNECT a:b:c HTTP/1.1\r\nHost: x\r\n\r\n", ""),
          bytes("GET http://[::bad/ HTTP/1.1\r\nHost: a b\r\n\r\n", ""),
          bytes("POST /v1/hit HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n", "0000fffe"),
          bytes("POST /v1/hit HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n{}", ""),
          bytes("POST /v1/hit HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", ""),
          bytes("GET /%zz?%zz=%zz&userId=%e0%80 HTTP/1.1\r\nHost: x\r\n\r\n", ""),
          bytes("GET /check?userId=%zz HTTP/1.1\r\nHost: x\r\n\r\n", ""),
          bytes("GET /explain?policy=%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", ""),
          bytes("GET /metrics HTTP/9.9\r\n\r\n", ""),
          bytes("\0\0\0\0\0\0\0\0\0\0\0\0", ""),
          bytes("*1\r\n$-5\r\n*99999999999\r\n", ""),
          bytes("*3\r\n$9\r\nSTINT.HIT\r\n$1\r\n", "ff0d0a"),
          HTTP2,
          bytes(HTTP2, "ffffff0000000000010000"), // a frame that is too large
          bytes(HTTP2, "0000040300000000010000000800000408000000010000"), // reset of an idle stream
          bytes(HTTP2, "000005010500000001ffffffffff"), // headers that cannot be unpacked
          bytes(HTTP2, "00000408000000000000000000"), // a window update of nothing
          bytes("", "160301ffff"), // half of a greeting by TLS
          bytes("", "8000000000"));

  private final StringWriter out = new StringWriter();
  private final Logs logs = new Logs(new PrintWriter(out), false, false);
  private final Logger root = Logger.getLogger("");
  private final Handler[] before = root.getHandlers();
  private final Level level = root.getLevel();

  private static byte[] bytes(String text, String hex) {
    return bytes(text.getBytes(StandardCharsets.ISO_8859_1), hex);
  }

  private static byte[] bytes(byte[] start, String hex) {
    byte[] end = HexFormat.of().parseHex(hex);
    byte[] whole = Arrays.copyOf(start, start.length + end.length);
    System.arraycopy(end, 0, whole, start.length, end.length);
    return whole;
  }

  @BeforeEach
  void writeHere() {
    for (Handler handler : before) {
      root.removeHandler(handler);
    }
    root.setLevel(Level.INFO);
    root.addHandler(logs);
  }

  @AfterEach
  void writeThere() {
    root.removeHandler(logs);
    for (Handler handler : before) {
      root.addHandler(handler);
    }
    root.setLevel(level);
  }

  @Test
  void junk_on_every_listener_writes_few_lines_and_no_stack_trace() throws Exception {
    Listener any = Listener.on("127.0.0.1", 0);
    long seed = Long.getLong("stint.seed", 7);
    SplittableRandom random = new SplittableRandom(seed);
    try (Service service =
        Service.start(
            Configuration.standard().withListeners(new Listeners(any, any, any, any, any)))) {
      List<Integer> ports =
          List.of(
              service.httpPort(),
              service.grpcPort(),
              service.respPort(),
              service.adminPort(),
              service.metricsPort());
      for (int i = 0; i < CONNECTIONS; i++) {
        byte[] junk = JUNK.get(i % JUNK.size());
        for (int port : ports) {
          send(port, i < JUNK.size() ? junk : mutated(junk, random));
        }
      }
    }

    assertThat(out.toString())
        .as("seed " + seed)
        .doesNotContain("\tat ")
        .doesNotContain("\\tat ")
        .doesNotContain("dev.stint.server.errors");
    assertThat(out.toString().lines().count()).as("seed %d: %s", seed, out).isLessThanOrEqualTo(20);
  }

  @Test
  void a_defect_is_one_line_that_tells_where_it_is() {
    for (int i = 0; i < 1000; i++) {
      InternalErrors.log("http", new IllegalStateException("number " + i));
    }

    assertThat(out.toString().lines())
        .singleElement()
        .asString()
        .contains("internal error (http): java.lang.IllegalStateException: number 0")
        .contains("LogFloodTest.java:");
  }

  private static byte[] mutated(byte[] junk, SplittableRandom random) {
    byte[] mutated = junk.clone();
    for (int i = 0; i < 3; i++) {
      mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
    }
    return mutated;
  }

  /** Sends it, and reads for a moment; what comes back does not matter. */
  private static void send(int port, byte[] junk) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20);
      socket.getOutputStream().write(junk);
      InputStream in = socket.getInputStream();
      byte[] answer = new byte[4096];
      for (int i = 0; i < 3 && in.read(answer) >= 0; i++) {
        // more may come
      }
    } catch (SocketTimeoutException | SocketException e) {
      // it waits for more, or has closed
    }
  }
}
