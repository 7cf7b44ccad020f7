package dev.stint.studio.trial;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatternTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1    | 1     | 1   | 0    | once
          500  | 3     | 3   | 1    | one burst, 500 in 3 s
          11   | 12    | 11  | 2    | one burst, 11 in 12 s
          600  | 300   | 290 | 2    | steady, 2.0 a second
          100  | 120   | 80  | 3    | steady, 50.0 a minute
          720  | 3596  | 720 | 5    | steady, 12.0 a minute
          360  | 3591  | 360 | 10   | steady, 6.0 a minute
          7    | 3601  | 7   | 600  | steady, 7.0 an hour
          360  | 3591  | 360 | 31   | unevenly, 6.0 a minute
          600  | 300   | 160 | 100  | unevenly, 2.0 a second
          3    | 3600  | 3   | 1800 | now and then, 3.0 an hour
          4000 | 3600  | 40  | 93   | bursts, 100 at a time
          100  | 36000 | 90  | 4000 | now and then, 10.0 an hour
          """)
  void a_key_is_described_by_how_it_came(
      long requests, long seconds, long busy, long silence, String words) {
    assertThat(Pattern.of(requests, seconds, busy, silence)).isEqualTo(words);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 10, 600})
  void who_comes_every_so_many_seconds_is_steady(int every) {
    Population population = new Population(0);
    for (long n = 0; n < 100; n++) {
      population.add(n * every * 1_000_000, 0);
    }
    assertThat(population.patternOf(0)).startsWith("steady, ");
  }

  @Test
  void who_pauses_for_long_is_not_steady() {
    Population population = new Population(0);
    for (long n = 0; n < 100; n++) {
      population.add((n < 50 ? n : n + 50) * 5_000_000, 0);
    }
    assertThat(population.patternOf(0)).isEqualTo("unevenly, 8.0 a minute");
  }
}
