package dev.stint.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

// Line ends are part of what is sent: in a text block nobody would see which they are.
@SuppressWarnings("StringConcatToTextBlock")
class FrameTest {

  private static final String STREAM =
      "*1\r\n$4\r\nPING\r\n"
          + "*6\r\n$11\r\nCL.THROTTLE\r\n$1\r\nk\r\n$2\r\n15\r\n$2\r\n30\r\n$2\r\n60\r\n$1\r\n0\r\n"
          + "ECHO \"two words\"\r\n\r\n"
          + "*0\r\n*-1\r\n"
          + "*2\r\n$4\r\necho\r\n$8\r\na\r\nb\0$1\n\r\n"
          + "*3\r\n$10\r\nSTINT.PEEK\r\n$3\r\napi\r\n$5\r\nalice\r\n"
          + "NOSUCH thing\n"
          + "*1\r\n$4\r\nPING\r\n";

  private static final String ANSWERS =
      "+PONG\r\n"
          + "*5\r\n:0\r\n:16\r\n:16\r\n:-1\r\n:0\r\n"
          + "$9\r\ntwo words\r\n"
          + "$8\r\na\r\nb\0$1\n\r\n"
          + "*6\r\n:1\r\n:3\r\n:3\r\n:0\r\n:0\r\n:0\r\n"
          + "-ERR unknown command 'NOSUCH', with args beginning with: 'thing' \r\n"
          + "+PONG\r\n";

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void a_stream_of_requests_is_answered_alike_wherever_it_is_split_in_two() {
    byte[] stream = STREAM.getBytes(StandardCharsets.ISO_8859_1);
    for (int split = 0; split <= stream.length; split++) {
      bench.send(stream, 0, split);
      bench.send(stream, split, stream.length);
      assertThat(bench.answers()).as("split at %d", split).isEqualTo(ANSWERS);
    }
  }

  @Test
  void a_stream_of_requests_is_answered_alike_in_pieces_of_any_size() {
    byte[] stream = STREAM.repeat(3).getBytes(StandardCharsets.ISO_8859_1);
    for (int size = 1; size <= 40; size++) {
      for (int from = 0; from < stream.length; from += size) {
        bench.send(stream, from, Math.min(from + size, stream.length));
      }
      assertThat(bench.answers()).as("pieces of %d", size).isEqualTo(ANSWERS.repeat(3));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*1000000000CRLF | invalid multibulk length, it must be at most 64",
        "*65CRLF | invalid multibulk length, it must be at most 64",
        "*99999999999999999999999999 | invalid multibulk length, it must be at most 64",
        "*1xCRLF | invalid multibulk length, it must be at most 64",
        "*CRLF | invalid multibulk length, it must be at most 64",
        "*-CRLF | invalid multibulk length, it must be at most 64",
        "*1CR$4CRLF | invalid multibulk length, it must be at most 64",
        "*1CRLF:4CRLF | expected '$', got ':'",
        "*1CRLF$-1CRLF | invalid bulk length, a request must have at most 12288 bytes",
        "*1CRLF$12288CRLF | invalid bulk length, a request must have at most 12288 bytes",
        "*1CRLF$2147483648CRLF | invalid bulk length, a request must have at most 12288 bytes",
        "*1CRLF$4CRLFPINGPONG | expected CRLF after a bulk string",
        "ECHO \"open | an inline request must have at most 64 words and balanced quotes",
      })
  void what_is_no_request_is_told_so_and_ends_the_connection(String sent, String reason) {
    String bytes = sent.replace("CRLF", "\r\n").replace("CR", "\r");
    String told = bench.ask("PING\r\n" + bytes + (sent.startsWith("ECHO") ? "\r\n" : ""));
    assertThat(told).isEqualTo("+PONG\r\n-ERR Protocol error: " + reason + "\r\n");
    assertThat(bench.ask("PING\r\n")).isEmpty();
  }

  @Test
  void a_line_without_an_end_is_not_collected_for_ever() {
    String told = bench.ask("x".repeat(12_289));
    assertThat(told)
        .isEqualTo(
            "-ERR Protocol error: too big inline request, it must have at most 12288 bytes\r\n");
  }

  @Test
  void many_small_arguments_are_bounded_as_a_whole() {
    String told = bench.ask("*8\r\n" + ("$2000\r\n" + "x".repeat(2000) + "\r\n").repeat(8));
    assertThat(told).startsWith("-ERR Protocol error: invalid bulk length");
  }

  @Test
  void random_bytes_never_crash_or_hang_it() {
    long seed = Long.getLong("stint.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    byte[] likely =
        "*$\r\n0123456789-\"' PINGCL.THROTTLESTINT.HITapi".getBytes(StandardCharsets.US_ASCII);
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = new byte[random.nextInt(1, 60)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] =
            random.nextInt(4) == 0
                ? (byte) random.nextInt()
                : likely[random.nextInt(likely.length)];
      }
      bench.send(bytes, 0, bytes.length);
      assertThat(bench.answers()).as("seed %d", seed).doesNotContain("internal error");
      bench.reconnect();
    }
    assertThat(bench.ask("PING\r\n")).isEqualTo("+PONG\r\n");
  }

  @Test
  void damaged_requests_never_crash_or_hang_it() {
    long seed = Long.getLong("stint.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = STREAM.getBytes(StandardCharsets.ISO_8859_1);
      for (int damage = random.nextInt(1, 4); damage > 0; damage--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      bench.send(bytes, 0, bytes.length);
      assertThat(bench.answers()).as("seed %d", seed).doesNotContain("internal error");
      bench.reconnect();
    }
    assertThat(bench.ask("PING\r\n")).isEqualTo("+PONG\r\n");
  }
}
