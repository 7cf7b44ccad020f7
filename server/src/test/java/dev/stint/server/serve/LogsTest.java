package dev.stint.server.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogsTest {

  private final StringWriter out = new StringWriter();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // it may wrap around
  private final Logs plain = logs(false, false);

  private Logs logs(boolean json, boolean stackTraces) {
    return new Logs(new PrintWriter(out), json, stackTraces, new LogThrottle(nanos::get));
  }

  private static LogRecord entry(String logger, String message, @Nullable Throwable thrown) {
    LogRecord entry = new LogRecord(Level.WARNING, message);
    entry.setInstant(Instant.parse("2026-01-02T03:04:05.678901Z"));
    entry.setLoggerName(logger);
    entry.setThrown(thrown);
    return entry;
  }

  private List<String> lines() {
    return out.toString().lines().toList();
  }

  @Test
  void an_entry_is_one_line_whatever_it_says() {
    plain.publish(entry("dev.stint.server", "a\nb\u001b[2J\u2028", null));

    assertThat(out.toString())
        .isEqualTo(
            "2026-01-02T03:04:05.678Z warn dev.stint.server: a\\nb\\u001b[2J\\u2028"
                + System.lineSeparator());
  }

  @Test
  void as_json_an_entry_is_an_object() {
    logs(true, false).publish(entry("dev.stint.server", "a \"b\"\n", null));

    assertThat(lines())
        .containsExactly(
            "{\"time\":\"2026-01-02T03:04:05.678Z\",\"level\":\"warn\",\"logger\":"
                + "\"dev.stint.server\",\"message\":\"a \\\"b\\\"\\n\"}");
  }

  @Test
  void an_exception_is_one_line_with_the_place_where_it_was_thrown() {
    Throwable thrown = new RuntimeException("outer", new IllegalStateException("in\nner"));

    plain.publish(entry("io.netty.x", "it failed", thrown));
    logs(true, false).publish(entry("io.netty.y", "it failed", thrown));

    assertThat(lines()).hasSize(2);
    assertThat(lines().get(0))
        .contains("it failed: java.lang.IllegalStateException: in\\nner at dev.stint.server")
        .contains("LogsTest.java:")
        .doesNotContain("outer");
    assertThat(lines().get(1)).contains("\"error\":\"java.lang.IllegalStateException: in\\nner at");
  }

  @Test
  void stack_traces_are_there_for_those_who_want_them() {
    logs(false, true).publish(entry("io.netty.x", "it failed", new RuntimeException("why")));

    assertThat(out.toString()).contains("java.lang.RuntimeException: why").contains("\tat ");
  }

  @Test
  void a_cause_has_one_line_in_ten_seconds_and_the_next_tells_how_many_were_held_back() {
    for (int i = 0; i < 1000; i++) {
      plain.publish(entry("io.netty.x", "client " + i + " sent rubbish", null));
    }
    assertThat(lines()).hasSize(1);

    nanos.addAndGet(TimeUnit.SECONDS.toNanos(10) - 1);
    plain.publish(entry("io.netty.x", "still", null));
    assertThat(lines()).hasSize(1);

    nanos.addAndGet(1);
    plain.publish(entry("io.netty.x", "now", null));
    assertThat(lines()).hasSize(2);
    assertThat(lines().get(1)).endsWith("now (and 1000 more like it before)");
  }

  @Test
  void different_causes_do_not_hide_each_other() {
    plain.publish(entry("io.netty.x", "rubbish", new IllegalStateException("a")));
    plain.publish(entry("io.netty.x", "rubbish", new IllegalArgumentException("a")));
    plain.publish(entry("dev.stint.x", "one {0}", null));
    plain.publish(entry("dev.stint.x", "another {0}", null));
    plain.publish(entry("dev.stint.x", "another {0}", null));

    assertThat(lines()).hasSize(4);
  }

  @Test
  void a_message_that_repeats_what_a_client_sent_is_clipped() {
    plain.publish(entry("io.netty.x", "x".repeat(1 << 20), new RuntimeException("y".repeat(9999))));

    assertThat(out.toString().length()).isLessThan(4000);
  }

  @Test
  void there_is_a_bound_on_causes_too() {
    for (int i = 0; i < 10 * LogThrottle.MOST_CAUSES; i++) {
      plain.publish(entry("logger" + i, "x", null));
    }

    assertThat(lines()).hasSize(LogThrottle.MOST_CAUSES + 1);
  }

  @Test
  void an_audit_is_complete_and_so_are_the_mistakes_of_a_configuration() {
    for (int i = 0; i < 20; i++) {
      plain.publish(entry("dev.stint.server.audit", "{0}", null));
      plain.publish(entry("dev.stint.server.reload", "{0}", null));
    }

    assertThat(lines()).hasSize(40);
  }
}
