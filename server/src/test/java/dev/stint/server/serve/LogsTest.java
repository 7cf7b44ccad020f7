package dev.stint.server.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class LogsTest {

  private final StringWriter out = new StringWriter();

  private String logged(boolean json, String message) {
    LogRecord entry = new LogRecord(Level.WARNING, message);
    entry.setInstant(Instant.parse("2026-01-02T03:04:05.678901Z"));
    entry.setLoggerName("dev.stint.server");
    new Logs(new PrintWriter(out), json).publish(entry);
    return out.toString();
  }

  @Test
  void an_entry_is_one_line_whatever_it_says() {
    assertThat(logged(false, "a\nb"))
        .isEqualTo("2026-01-02T03:04:05.678Z warn dev.stint.server: a\\nb\n");
  }

  @Test
  void as_json_an_entry_is_an_object() {
    assertThat(logged(true, "a \"b\"\n"))
        .isEqualTo(
            "{\"time\":\"2026-01-02T03:04:05.678Z\",\"level\":\"warn\",\"logger\":"
                + "\"dev.stint.server\",\"message\":\"a \\\"b\\\"\\n\"}\n");
  }
}
