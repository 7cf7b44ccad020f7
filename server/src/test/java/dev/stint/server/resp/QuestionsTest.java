package dev.stint.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuestionsTest {

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private String ask(String request) {
    String answer = bench.ask(request + "\r\n");
    return answer.replace("*6\r\n", "").replaceAll("(?m)^:", "").replace("\r\n", " ").strip();
  }

  @Test
  void a_hit_tells_what_remains_and_when_the_key_is_as_good_as_new() {
    assertThat(ask("STINT.HIT api alice")).isEqualTo("1 3 2 0 20000 0");
  }

  @Test
  void a_refusal_tells_the_wait_to_the_millisecond_rounded_up() {
    ask("STINT.HIT api alice 3");
    bench.time.advance(Duration.ofNanos(500_000));
    assertThat(ask("STINT.HIT api alice 2")).isEqualTo("0 3 0 40000 60000 0");
  }

  @Test
  void a_cost_that_never_fits_has_no_time_to_wait_for() {
    assertThat(ask("STINT.HIT api alice 4")).isEqualTo("0 3 3 -1 0 0");
  }

  @Test
  void a_quota_that_was_touched_is_never_as_good_as_new() {
    assertThat(ask("STINT.HIT export alice 4")).isEqualTo("1 10 6 0 -1 0");
  }

  @Test
  void a_peek_takes_nothing() {
    assertThat(ask("STINT.PEEK api alice 3")).isEqualTo("1 3 3 0 0 0");
    assertThat(ask("STINT.PEEK api alice 3")).isEqualTo("1 3 3 0 0 0");
  }

  @Test
  void a_reset_forgets_the_key() {
    ask("STINT.HIT api alice 3");
    assertThat(ask("STINT.RESET api alice")).isEqualTo("+OK");
    assertThat(ask("STINT.PEEK api alice")).isEqualTo("1 3 3 0 0 0");
  }

  @Test
  void keys_of_every_length_are_counted_apart() {
    for (int length = 1; length <= 600; length++) {
      assertThat(ask("STINT.HIT api " + "k".repeat(length))).isEqualTo("1 3 2 0 20000 0");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "STINT.HIT api alice 0 | cost must be a whole number and at least 1: '0'",
        "STINT.HIT api alice -1 | cost must be a whole number and at least 1: '-1'",
        "STINT.PEEK api alice x | cost must be a whole number and at least 1: 'x'",
        "STINT.HIT api \"\" | key must have 1 to 4096 bytes: 0",
        "STINT.RESET api | wrong number of arguments for 'stint.reset' command: it is STINT.RESET policy key",
      })
  void what_cannot_be_is_refused_with_a_sentence(String request, String sentence) {
    assertThat(ask(request)).isEqualTo("-ERR " + sentence);
  }

  @Test
  void a_key_that_is_too_long_is_refused_and_the_connection_goes_on() {
    assertThat(ask("STINT.HIT api " + "k".repeat(4097)))
        .isEqualTo("-ERR key must have 1 to 4096 bytes: 4097");
    assertThat(ask("STINT.HIT api " + "k".repeat(4096))).isEqualTo("1 3 2 0 20000 0");
  }
}
