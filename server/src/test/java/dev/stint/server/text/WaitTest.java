package dev.stint.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0.1 s",
    "30000000, 30.0 s",
    "30000001, 30.1 s",
    "59900001, 1 min",
    "3550000000, 59 min 10 s",
    "3599500000, 1 h",
    "3601000000, 1 h 1 min",
    "86399000000, 1 d",
    "176400000000, 2 d 1 h",
    "9223372036854775807, 106751991 d 5 h",
  })
  void a_wait_is_told_in_one_or_two_units_and_never_too_short(long micros, String text) {
    assertThat(Wait.of(micros)).isEqualTo(text);
  }
}
