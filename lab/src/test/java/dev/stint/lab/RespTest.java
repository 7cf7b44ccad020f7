package dev.stint.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RespTest {
  private static RedisServer server;

  private final Resp resp = server.resp();

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @AfterEach
  void disconnect() {
    resp.close();
  }

  @Test
  void reads_text_numbers_lists_and_nil() {
    assertThat(resp.text("SET", "word", "zwölf\r\n")).isEqualTo("OK");
    assertThat(resp.text("GET", "word")).isEqualTo("zwölf\r\n");
    assertThat(resp.number("INCR", "count")).isEqualTo(1);
    assertThat(resp.list("MGET", "count", "none")).isEqualTo(Arrays.asList("1", null));
    assertThat(resp.call("GET", "none")).isNull();
  }

  @Test
  void reads_lists_within_lists() {
    assertThat(resp.list("EVAL", "return {1, {2, {}}}", "0"))
        .isEqualTo(List.of(1L, List.of(2L, List.of())));
  }

  @Test
  void throws_the_error_the_server_answers() {
    assertThatThrownBy(() -> resp.call("EVALSHA", "0".repeat(40), "0"))
        .isInstanceOfSatisfying(
            Resp.ErrorReply.class, error -> assertThat(error.code()).isEqualTo("NOSCRIPT"))
        .hasMessageStartingWith("NOSCRIPT ");
    assertThat(resp.text("PING")).isEqualTo("PONG");
  }

  @Test
  void gives_an_error_within_a_list_as_its_element() {
    resp.text("MULTI");
    resp.text("SET", "text", "x");
    resp.text("INCR", "text");

    assertThat(resp.list("EXEC").get(1)).isInstanceOf(Resp.ErrorReply.class);
  }

  @Test
  void says_what_kind_of_reply_was_expected() {
    assertThatThrownBy(() -> resp.number("PING")).hasMessage("PING must answer a Long: PONG");
  }

  @Test
  void is_closed_by_a_timeout() {
    try (Resp hasty = Resp.connect("127.0.0.1", server.port(), Duration.ofMillis(50))) {
      assertThatThrownBy(() -> hasty.call("BLPOP", "none", "0"))
          .isInstanceOf(UncheckedIOException.class);
      assertThatThrownBy(() -> hasty.call("PING")).hasMessageContaining("closed");
    }
  }
}
