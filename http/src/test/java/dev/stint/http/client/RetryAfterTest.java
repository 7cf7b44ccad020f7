package dev.stint.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

  private static final long NOW = Instant.parse("1994-11-06T08:49:00Z").toEpochMilli() * 1000;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 0",
        "5 | 5",
        "' 120 ' | 120",
        "007 | 7",
        "Sun, 06 Nov 1994 08:49:37 GMT | 37",
        "Sunday, 06-Nov-94 08:49:37 GMT | 37",
        "Sun Nov  6 08:49:37 1994 | 37",
        "Sun Nov 13 08:49:00 1994 | 604800",
        "Sun, 06 Nov 1994 08:48:59 GMT | 0",
        "Thu, 01 Jan 1970 00:00:00 GMT | 0",
        "Tuesday, 06-Nov-40 08:49:00 GMT | 1451692800",
      })
  void reads_seconds_and_all_forms_of_dates(String text, long seconds) {
    assertThat(RetryAfter.micros(text, NOW)).hasValue(seconds * 1_000_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-1",
        "+1",
        "1.5",
        "1e3",
        "soon",
        "٣",
        "5 seconds",
        "5, 6",
        "1994-11-06T08:49:37Z",
        "Mon, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 31 Feb 1994 08:49:37 GMT",
      })
  void ignores_what_is_neither(String text) {
    assertThat(RetryAfter.micros(text, NOW)).isEqualTo(OptionalLong.empty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775807",
        "9223372036854775808",
        "99999999999999999999999999999999999999999999999",
        "Fri, 31 Dec 9999 23:59:59 GMT",
        "Fri, 31 Dec +99999999 23:59:59 GMT",
      })
  void takes_what_is_huge_for_a_very_long_time(String text) {
    assertThat(RetryAfter.micros(text, NOW).orElseThrow())
        .isBetween(1_000_000L * 60 * 60 * 24 * 365 * 1000, Long.MAX_VALUE / 2);
  }
}
