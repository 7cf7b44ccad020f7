package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpanTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "1, 1us",
    "999, 999us",
    "1000, 1ms",
    "199999, 199.999ms",
    "1000000, 1s",
    "1500000, 1.5s",
    "90000001, 90.000001s",
    "60000000, 1min",
    "105000000, 105s",
    "3600000000, 1h",
    "86400000000, 1d",
    "86400000001, 86400.000001s",
    "-5000000, -5s"
  })
  void prints_with_one_unit(long micros, String text) {
    assertThat(Span.format(micros)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0ms, 0",
    "7us, 7",
    "7µs, 7",
    "0.001ms, 1",
    "1.5s, 1500000",
    "1h30min, 5400000000",
    "23h59min59.999999s, 86399999999",
    "1_000d, 86400000000000"
  })
  void reads_one_unit_or_several(String text, long micros) {
    assertThat(Span.looksLike(text)).isTrue();
    assertThat(Span.parse(text)).isEqualTo(micros);
  }
}
