package dev.stint.studio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private static final long MILLI = 1_000_000;

  private final StringWriter err = new StringWriter();
  private long now;

  private Progress progress(int columns) {
    return new Progress(new PrintWriter(err), columns, "lines", () -> now);
  }

  @Test
  void nothing_is_shown_of_what_takes_less_than_half_a_second() {
    Progress progress = progress(80);
    now = 499 * MILLI;
    progress.done(10, 0.9);
    progress.close();
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void a_bar_tells_rate_and_time_left() {
    Progress progress = progress(120);
    now = 2_000 * MILLI;
    progress.done(1_000_000, 0.25);
    assertThat(err.toString())
        .isEqualTo(
            "\r[######..................]  25 %  1,000,000 lines, 500,000 a second, 6 s left\u001b[K");
  }

  @Test
  void where_the_end_is_not_known_it_tells_the_rate_only() {
    Progress progress = progress(120);
    now = 1_000 * MILLI;
    progress.done(5_000, -1);
    assertThat(err.toString()).isEqualTo("\r5,000 lines, 5,000 a second\u001b[K");
  }

  @Test
  void it_is_drawn_ten_times_a_second_and_no_wider_than_the_terminal() {
    Progress progress = progress(20);
    now = 600 * MILLI;
    progress.done(1, 0.1);
    now = 650 * MILLI;
    progress.done(2, 0.2);
    assertThat(err.toString()).isEqualTo("\r[##................\u001b[K");
  }

  @Test
  void at_the_end_the_line_is_empty_again() {
    Progress progress = progress(80);
    now = 600 * MILLI;
    progress.done(1, 0.1);
    progress.close();
    assertThat(err.toString()).endsWith("\r\u001b[K");
  }

  @Test
  void nothing_moves_where_there_is_no_terminal() {
    Progress progress = progress(0);
    now = 10_000 * MILLI;
    progress.done(1, 0.5);
    progress.close();
    assertThat(err.toString()).isEmpty();
  }
}
