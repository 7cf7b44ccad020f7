package dev.stint.studio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpanTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0 s",
    "999, 999 us",
    "1500, 1.5 ms",
    "999960, 1 s",
    "12340000, 12.3 s",
    "59999999, 1 min",
    "300000000, 5 min",
    "1170000000, 19 min 30 s",
    "3599600000, 1 h",
    "10740000000, 2 h 59 min",
    "86399000000, 1 d",
    "172800000000, 2 d",
    "180000000000, 2 d 2 h"
  })
  void a_length_is_told_roughly_and_never_cut_off(long micros, String words) {
    assertThat(Span.about(micros)).isEqualTo(words);
  }
}
