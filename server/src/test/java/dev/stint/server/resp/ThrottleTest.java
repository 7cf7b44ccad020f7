package dev.stint.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThrottleTest {

  private static final int STEPS = 10_000;

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private String throttle(String arguments) {
    String answer = bench.ask("cl.throttle " + arguments + "\r\n");
    return answer.replace("*5\r\n", "").replaceAll("(?m)^:", "").replace("\r\n", " ").strip();
  }

  @Test
  void the_first_call_is_answered_as_the_module_answers_it() {
    assertThat(throttle("user 15 30 60")).isEqualTo("0 16 15 -1 2");
  }

  @Test
  void a_call_too_many_is_told_when_to_come_back() {
    throttle("user 1 1 60");
    throttle("user 1 1 60");
    assertThat(throttle("user 1 1 60")).isEqualTo("1 2 0 60 120");
  }

  @Test
  void more_than_can_ever_fit_is_limited_without_an_hour_to_come_back() {
    assertThat(throttle("user 1 1 60 3")).isEqualTo("1 2 2 -1 0");
  }

  @Test
  void a_quantity_of_zero_looks_and_takes_nothing() {
    throttle("user 0 1 60");
    assertThat(throttle("user 0 1 60 0")).isEqualTo("0 1 0 -1 60");
    assertThat(throttle("user 0 1 60 0")).isEqualTo("0 1 0 -1 60");
  }

  @Test
  void a_quantity_of_zero_is_limited_while_a_lower_limit_is_overdrawn() {
    throttle("user 9 10 60 10");
    assertThat(throttle("user 4 10 60 0")).isEqualTo("1 5 0 30 60");
  }

  @ParameterizedTest
  @ValueSource(strings = {"k", "k 1 1", "k 1 1 1 1 1"})
  void too_few_or_too_many_arguments_are_told_the_usage(String arguments) {
    assertThat(throttle(arguments))
        .isEqualTo(
            "-ERR wrong number of arguments for 'cl.throttle' command: it is"
                + " CL.THROTTLE key max_burst count_per_period period_s [quantity]");
  }

  @ParameterizedTest
  @CsvSource({
    "k x 1 1, max_burst, x",
    "k 1 1.5 1, count_per_period, 1.5",
    "k 1 1 99999999999999999999, period_s, 99999999999999999999",
    "k 1 1 1 -, quantity, -"
  })
  void what_is_no_whole_number_is_told_by_name(String arguments, String name, String value) {
    assertThat(throttle(arguments))
        .isEqualTo(
            "-ERR value is not an integer or out of range: %s must be a whole number: '%s'"
                .formatted(name, value));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "k -1 1 1 | max_burst must be at least 0: -1",
        "k 1 0 1 | count_per_period must be at least 1: 0",
        "k 1 1 0 | period_s must be at least 1: 0",
        "k 1 1 1 -1 | quantity must be at least 0: -1",
        "'' 1 1 1 | key must have 1 to 4096 bytes: 0",
        "k 5000000000000000 1 1 | burst must be at most 4503599627370496: 5000000000000001",
        "k 1 1 9999999999 | window must be at most 50 years (PT438000H): PT2777777H46M39S",
      })
  void what_cannot_be_is_refused_with_a_sentence(String arguments, String sentence) {
    String quoted = arguments.replace("''", "\"\"");
    assertThat(throttle(quoted)).isEqualTo("-ERR " + sentence);
  }

  /**
   * One key by the book: instants are whole numbers of 1/count microseconds, so that nothing is
   * ever rounded.
   */
  private static final class Model {
    final long burst;
    final long count;
    final long period;
    private long instant;

    Model(long burst, long count, long period) {
      this.burst = burst;
      this.count = count;
      this.period = period;
    }

    String throttle(long micros, long quantity) {
      long now = micros * count;
      long interval = period * 1_000_000;
      long depth = (burst + 1) * interval;
      long full = Math.max(instant, now);
      long next = full + quantity * interval;
      boolean limited = next - now > depth;
      if (!limited) {
        instant = next;
        full = next;
      }
      long second = 1_000_000 * count;
      long wait = !limited || quantity > burst + 1 ? -1 : up(next - now - depth, second);
      return (limited ? 1 : 0)
          + " "
          + (burst + 1)
          + " "
          + Math.max(0, (depth - (full - now)) / interval)
          + " "
          + wait
          + " "
          + up(full - now, second);
    }

    private static long up(long a, long b) {
      return (a + b - 1) / b;
    }
  }

  @Test
  void ten_thousand_random_steps_are_answered_as_by_the_book() {
    long seed = Long.getLong("stint.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    Model[] models = new Model[20];
    for (int i = 0; i < models.length; i++) {
      models[i] =
          new Model(random.nextLong(0, 30), random.nextLong(1, 100), random.nextLong(1, 100));
    }
    for (int step = 0; step < STEPS; step++) {
      int key = random.nextInt(models.length);
      Model model = models[key];
      switch (random.nextInt(4)) {
        case 0 -> bench.time.advanceMicros(random.nextLong(1, 3));
        case 1 -> bench.time.advanceMicros(random.nextLong(1, 1_000_000));
        case 2 -> bench.time.advanceMicros(random.nextLong(1, 5) * 1_000_000);
        default -> {}
      }
      long quantity = random.nextInt(5) == 0 ? random.nextLong(0, 35) : 1;
      assertThat(
              throttle(
                  "k"
                      + key
                      + " "
                      + model.burst
                      + " "
                      + model.count
                      + " "
                      + model.period
                      + " "
                      + quantity))
          .as("seed %d, step %d, %s", seed, step, model)
          .isEqualTo(model.throttle(bench.time.micros(), quantity));
    }
  }
}
