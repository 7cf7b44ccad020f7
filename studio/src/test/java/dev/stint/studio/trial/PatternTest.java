package dev.stint.studio.trial;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatternTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1    | 1     | 1   | once
          500  | 3     | 3   | one burst, 500 in 3 s
          600  | 300   | 290 | steady, 2.0 a second
          100  | 120   | 80  | steady, 50.0 a minute
          4000 | 3600  | 40  | bursts, 100 at a time
          100  | 36000 | 90  | now and then, 10.0 an hour
          """)
  void a_key_is_described_by_how_it_came(long requests, long seconds, long busy, String words) {
    assertThat(Pattern.of(requests, seconds, busy)).isEqualTo(words);
  }
}
