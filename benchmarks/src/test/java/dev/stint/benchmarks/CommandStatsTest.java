package dev.stint.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CommandStatsTest {

  private static final CommandStats BEFORE =
      CommandStats.parse(
          """
          # Commandstats\r
          cmdstat_get:calls=10,usec=20,usec_per_call=2.00,rejected_calls=0,failed_calls=0\r
          cmdstat_evalsha:calls=5,usec=100,usec_per_call=20.00,rejected_calls=0,failed_calls=1\r
          """);
  private static final CommandStats AFTER =
      CommandStats.parse(
          """
          # Commandstats\r
          cmdstat_get:calls=17,usec=30,usec_per_call=2.00,rejected_calls=0,failed_calls=0\r
          cmdstat_evalsha:calls=8,usec=175,usec_per_call=20.00,rejected_calls=0,failed_calls=1\r
          cmdstat_fcall:calls=2,usec=20,usec_per_call=10.00,rejected_calls=0,failed_calls=0\r
          cmdstat_eval:calls=1,usec=50,usec_per_call=50.00,rejected_calls=0,failed_calls=0\r
          cmdstat_config|resetstat:calls=1,usec=9,usec_per_call=9.00,rejected_calls=0,failed_calls=0\r
          """);

  @Test
  void calls_are_those_since_the_earlier_reading() {
    CommandStats ran = AFTER.since(BEFORE);
    assertThat(ran.calls("get")).isEqualTo(7);
    assertThat(ran.calls("set")).isZero();
    assertThat(ran.calls("config|resetstat")).isEqualTo(1);
  }

  @Test
  void scripts_are_counted_by_digest_by_text_and_as_functions() {
    CommandStats ran = AFTER.since(BEFORE);
    assertThat(ran.scripts()).isEqualTo(6);
    assertThat(ran.scriptMicros()).isEqualTo(145);
  }

  @Test
  void readings_add_up() {
    CommandStats ran = AFTER.since(BEFORE);
    assertThat(CommandStats.NONE.plus(ran).plus(ran).scripts()).isEqualTo(12);
  }

  @Test
  void a_get_within_a_script_is_no_call_of_the_client() {
    CommandStats ran = AFTER.since(BEFORE);
    assertThat(RedisContestant.BUCKET4J.plainCalls(ran)).isEqualTo(1);
    assertThat(RedisContestant.STINT.plainCalls(ran)).isZero();
  }

  @Test
  void an_answer_without_statistics_is_refused() {
    assertThatThrownBy(() -> CommandStats.parse("# Server\r\nredis_version:7.0.15\r\n"))
        .hasMessageStartingWith("INFO commandstats must have lines such as cmdstat_get");
  }
}
