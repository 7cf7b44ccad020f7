package dev.stint.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class LogsTest {

  private static LogRecord record(String message) {
    LogRecord line = new LogRecord(Level.WARNING, message);
    line.setLoggerName("dev.stint.server");
    line.setInstant(Instant.parse("2026-01-31T12:00:00Z"));
    return line;
  }

  @Test
  void a_line_of_text_has_time_level_and_logger() {
    assertThat(new Logs.TextLine().format(record("the store is away")))
        .isEqualTo("2026-01-31T12:00:00Z WARNING dev.stint.server: the store is away\n");
  }

  @Test
  void a_line_of_json_is_an_object() {
    assertThat(new Logs.JsonLine().format(record("say \"no\"")))
        .isEqualTo(
            "{\"time\":\"2026-01-31T12:00:00Z\",\"level\":\"WARNING\",\"logger\":\"dev.stint.server\","
                + "\"message\":\"say \\\"no\\\"\"}\n");
  }

  @Test
  void a_message_cannot_forge_a_line() {
    String forged = "x\r\n2026-01-31T12:00:00Z INFO    dev.stint.server: all is well";
    assertThat(new Logs.TextLine().format(record(forged)).lines().skip(1))
        .allSatisfy(line -> assertThat(line).startsWith("    "));
    assertThat(new Logs.JsonLine().format(record(forged)).lines()).hasSize(1);
  }

  @Test
  void an_error_is_part_of_its_event() {
    LogRecord line = record("failed");
    line.setThrown(new IllegalStateException("because"));
    assertThat(new Logs.TextLine().format(line)).contains("failed: ", "because");
    assertThat(new Logs.JsonLine().format(line)).contains("\"error\":\"java.lang.Ill");
  }
}
