package dev.stint.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBytesTest {

  private final JsonBytes json = new JsonBytes();

  @ParameterizedTest
  @ValueSource(longs = {0, 9, 10, 99, 100, 9007199254740991L, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  void numbers_are_written_as_they_are(long number) {
    assertThat(json.number(number).toBuffer().toString()).isEqualTo(Long.toString(number));
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "1,0.000001",
    "10,0.00001",
    "500000,0.5",
    "999999,0.999999",
    "1000000,1",
    "1000001,1.000001",
    "60000000,60",
    "86399500000,86399.5"
  })
  void seconds_have_as_many_decimals_as_they_need(long micros, String text) {
    assertThat(json.seconds(Duration.ofNanos(micros * 1000)).toBuffer().toString()).isEqualTo(text);
  }

  @Test
  void any_text_can_be_read_back() {
    StringBuilder all = new StringBuilder();
    for (char c = 0; c < Character.MAX_VALUE; c++) {
      all.append(c);
    }

    String written = json.text(all.toString()).toBuffer().toString(StandardCharsets.US_ASCII);

    assertThat(RunningHttp.json(written).asText()).isEqualTo(all.toString());
  }

  @Test
  void it_begins_anew_after_something_long() {
    json.text("x".repeat(1 << 20)).toBuffer();

    assertThat(json.clear().bool(true).toBuffer().toString()).isEqualTo("true");
  }
}
