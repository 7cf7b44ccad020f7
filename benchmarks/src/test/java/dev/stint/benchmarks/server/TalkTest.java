package dev.stint.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.benchmarks.server.RespTalk.Form;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class TalkTest {

  private static final String OK =
      "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\n{{}}";
  private static final String REFUSED =
      "HTTP/1.1 429 Too Many Requests\r\nContent-Length:0\r\nretry-after: 3\r\n\r\n";

  private static HttpTalk http() {
    return new HttpTalk(Requests.http(1).from(0));
  }

  private static RespTalk resp(Form form) {
    return new RespTalk(Requests.command(1, "PING").from(0), form);
  }

  private static GrpcTalk grpc() {
    GrpcTalk talk = new GrpcTalk(GrpcTalk.requests(1).from(0));
    ByteBuffer out = ByteBuffer.allocate(1_000);
    talk.ask(out);
    talk.ask(out);
    return talk;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** What is heard when the bytes come in two parts. */
  private static List<String> heard(Talk talk, byte[] bytes, int split) throws WrongReply {
    List<String> replies = new ArrayList<>();
    Talk.Replies told = (number, allowed) -> replies.add(number + (allowed ? "+" : "-"));
    int rest = talk.hear(bytes, 0, split, told);
    int end = talk.hear(bytes, rest, bytes.length, told);
    assertThat(end).isEqualTo(bytes.length);
    return replies;
  }

  private static void wherever_it_is_split(Supplier<Talk> talk, byte[] bytes, String... replies)
      throws WrongReply {
    for (int split = 0; split <= bytes.length; split++) {
      assertThat(heard(talk.get(), bytes, split)).as("split at %d", split).containsExactly(replies);
    }
  }

  @Test
  void answers_over_http_are_told_apart_by_their_lengths() throws WrongReply {
    wherever_it_is_split(TalkTest::http, ascii(OK + REFUSED + OK), "0+", "1-", "2+");
  }

  @Test
  void another_status_ends_the_run_with_the_answer() {
    String bad = "HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\nno";
    assertThatThrownBy(() -> heard(http(), ascii(bad), 0))
        .isInstanceOf(WrongReply.class)
        .hasMessage(
            "the status must be 200 or 429: HTTP/1.1 400 Bad Request⏎content-length: 2⏎⏎no");
  }

  @Test
  void an_answer_without_its_length_ends_the_run() {
    assertThatThrownBy(() -> heard(http(), ascii("HTTP/1.1 200 OK\r\nx: y\r\n\r\n"), 0))
        .hasMessageStartingWith("an answer must have a Content-Length: ");
  }

  @Test
  void answers_in_redis_protocol_have_the_form_of_their_command() throws WrongReply {
    wherever_it_is_split(() -> resp(Form.PONG), ascii("+PONG\r\n+PONG\r\n"), "0+", "1+");
    wherever_it_is_split(() -> resp(Form.ONE), ascii(":1\r\n:1\r\n"), "0+", "1+");
    wherever_it_is_split(
        () -> resp(Form.THROTTLE),
        ascii("*5\r\n:0\r\n:16\r\n:15\r\n:-1\r\n:2\r\n*5\r\n:1\r\n:16\r\n:0\r\n:2\r\n:30\r\n"),
        "0+",
        "1-");
    wherever_it_is_split(
        () -> resp(Form.HIT),
        ascii(
            "*6\r\n:1\r\n:9\r\n:8\r\n:0\r\n:7\r\n:0\r\n*6\r\n:0\r\n:9\r\n:0\r\n:5\r\n:7\r\n:0\r\n"),
        "0+",
        "1-");
  }

  @Test
  void another_form_ends_the_run_with_the_answer() {
    assertThatThrownBy(() -> heard(resp(Form.ONE), ascii("-NOSCRIPT No such\r\n"), 0))
        .hasMessage("an answer must have the form ONE: -NOSCRIPT No such⏎");
    assertThatThrownBy(() -> heard(resp(Form.ONE), ascii(":0\r\n"), 0))
        .hasMessage("an answer must have the form ONE: :0⏎");
    assertThatThrownBy(() -> heard(resp(Form.THROTTLE), ascii("*1\r\n$1\r\na\r\n"), 0))
        .hasMessageStartingWith("an answer must have the form THROTTLE: *1");
    // The last number says that the store was not asked.
    String degraded = "*6\r\n:1\r\n:9\r\n:8\r\n:0\r\n:7\r\n:1\r\n";
    assertThatThrownBy(() -> heard(resp(Form.HIT), ascii(degraded), 0))
        .hasMessageStartingWith("an answer must have the form HIT: *6");
  }

  private static void frame(ByteBuffer out, int type, int flags, int stream, int... payload) {
    out.putInt(payload.length << 8 | type).put((byte) flags).putInt(stream);
    for (int one : payload) {
      out.put((byte) one);
    }
  }

  private static byte[] bytes(ByteBuffer out) {
    byte[] bytes = new byte[out.flip().remaining()];
    out.get(bytes);
    return bytes;
  }

  @Test
  void calls_end_in_any_order_and_settings_are_acknowledged() throws WrongReply {
    ByteBuffer in = ByteBuffer.allocate(1_000);
    frame(in, 4, 0, 0);
    frame(in, 1, 4, 3, 0x88);
    frame(in, 1, 4, 1, 0x88);
    frame(in, 0, 0, 3, 0, 0, 0, 0, 2, 8, 2);
    frame(in, 0, 0, 1, 0, 0, 0, 0, 2, 8, 1);
    frame(in, 1, 5, 3, 0xbe);
    frame(in, 1, 5, 1, 0xbe);
    byte[] frames = bytes(in);
    wherever_it_is_split(TalkTest::grpc, frames, "1-", "0+");

    GrpcTalk talk = grpc();
    assertThat(heard(talk, frames, 0)).hasSize(2);
    ByteBuffer out = ByteBuffer.allocate(100);
    talk.courtesies(out);
    talk.courtesies(out);
    assertThat(bytes(out)).containsExactly(0, 0, 0, 4, 1, 0, 0, 0, 0);
    assertThat(GrpcTalk.message(frames)).containsExactly(8, 2);
  }

  @Test
  void a_call_that_ends_without_a_message_or_is_reset_ends_the_run() {
    ByteBuffer trailersOnly = ByteBuffer.allocate(100);
    frame(trailersOnly, 1, 5, 1, 0x88);
    assertThatThrownBy(() -> heard(grpc(), bytes(trailersOnly), 0))
        .hasMessageStartingWith("a call must be answered with a message");
    ByteBuffer reset = ByteBuffer.allocate(100);
    frame(reset, 3, 0, 1, 0, 0, 0, 2);
    assertThatThrownBy(() -> heard(grpc(), bytes(reset), 0))
        .hasMessageStartingWith("a call must not be broken off: frame 3");
  }
}
