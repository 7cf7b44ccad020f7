package dev.stint.studio.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.studio.cli.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class DemoTest {

  private static final Terminal PIPE = Terminal.plain();
  private static final Terminal SCREEN = new Terminal(true, 100, 0);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(Terminal terminal, String... args) {
    return new CommandLine(new Demo(terminal))
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }

  private String draw(Terminal terminal, String... args) {
    out.getBuffer().setLength(0);
    assertThat(run(terminal, args)).as(err.toString()).isZero();
    return out.toString();
  }

  private String complaint(String... args) {
    assertThat(run(PIPE, args)).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    return err.toString();
  }

  @Test
  void draws_a_lane_for_each_algorithm_in_each_scenario() {
    String drawn = draw(PIPE);
    assertThat(drawn.split(" admitted ")).hasSize(1 + 1 + 3 * 6);
    assertThat(drawn.split(" refused ")).hasSize(1 + 1 + 3 * 6);
    assertThat(drawn)
        .contains("A burst at the window's edge", "Steady traffic", "An attacker who times windows")
        .contains("on the clock", "per key", "sliding log", "sliding counter", "token bucket")
        .contains("leaky bucket");
  }

  @Test
  void draws_what_a_fixed_window_makes_of_a_burst_at_its_edge() {
    assertThat(draw(PIPE, "--scenario", "edge").lines().map(String::stripTrailing))
        .containsSequence(
            "                 ╎0         ╎1 min     ╎2 min     ╎3 min",
            "traffic          ╎         ▇█▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂  800 hits      worst",
            "",
            "fixed window     ╎         ▇▇          ▂▂▂▂         300 admitted  200 in 1 s   !",
            "on the clock     ╎          ×××××××××××╎  ××××××××  500 refused   200 in 1 min !");
  }

  @Test
  void draws_the_same_every_time() {
    assertThat(draw(PIPE)).isEqualTo(draw(PIPE));
  }

  @Test
  void a_pipe_gets_no_escape_codes() {
    assertThat(draw(PIPE)).doesNotContain("\u001b");
  }

  @Test
  void a_terminal_gets_admitted_in_green_and_refused_in_red() {
    assertThat(draw(SCREEN)).contains("\u001b[32m", "\u001b[31m");
  }

  @Test
  void colours_can_be_forced_and_forbidden() {
    assertThat(draw(PIPE, "--color", "always")).contains("\u001b[");
    assertThat(draw(SCREEN, "--color", "never")).doesNotContain("\u001b");
  }

  @Test
  void colours_change_nothing_but_the_colour() {
    String bare = draw(SCREEN).replaceAll("\u001b\\[[0-9;]*m", "");
    assertThat(bare.lines().map(String::stripTrailing))
        .containsExactlyElementsOf(draw(SCREEN, "--color", "never").lines().toList());
  }

  @Test
  void ascii_needs_nothing_beyond_ascii() {
    assertThat(draw(PIPE, "--ascii", "--limit", "7/hour")).isASCII().contains("x", "#");
  }

  @ParameterizedTest
  @ValueSource(ints = {70, 80, 100, 120, 200})
  void no_line_is_wider_than_asked_for_and_a_lane_uses_the_width(int width) {
    String drawn = draw(PIPE, "--width", Integer.toString(width));
    int widest = drawn.lines().mapToInt(String::length).max().orElse(0);
    assertThat(widest).isBetween(width - 4, width);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10000/hour", "10000/minute burst 30000", "1/second", "9999 per 1234567us"})
  void large_numbers_and_odd_windows_fit_in_the_least_width_too(String limit) {
    assertThat(draw(PIPE, "--limit", limit, "--width", "70").lines())
        .allMatch(line -> line.length() <= 70);
  }

  @ParameterizedTest
  @CsvSource({"40, 70", "90, 90", "300, 120"})
  void without_a_width_it_takes_the_terminals_within_reason(int columns, int width) {
    Terminal terminal = new Terminal(false, columns, 0);
    assertThat(draw(terminal)).isEqualTo(draw(PIPE, "--width", Integer.toString(width)));
  }

  @Test
  void draws_only_the_scenarios_asked_for() {
    assertThat(draw(PIPE, "--scenario", "steady,edge"))
        .contains("Steady traffic", "A burst at the window's edge")
        .doesNotContain("An attacker");
  }

  @Test
  void an_own_limit_is_tried_in_its_own_window() {
    assertThat(draw(PIPE, "--limit", "50/hour", "--scenario", "edge"))
        .contains("╎1 h", "╎3 h", "100 in 1 h   !", "400 hits");
  }

  @Test
  void an_own_burst_is_that_of_the_buckets() {
    assertThat(draw(PIPE, "--limit", "100/minute burst 20", "--scenario", "edge"))
        .contains("burst 20", "room for 20");
  }

  @Test
  void a_limit_that_cannot_be_read_is_refused_with_the_reason() {
    assertThat(complaint("--limit", "0/minute"))
        .contains("'--limit': rate string \"0/minute\"", "must be a whole number from 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10/minute sliding-log", "10 total", "10/minute named api"})
  void a_limit_that_names_more_than_numbers_is_refused(String limit) {
    assertThat(complaint("--limit", limit))
        .contains("--limit must be an amount and a window, without an algorithm or a name: ");
  }

  @Test
  void a_limit_too_large_to_draw_is_refused() {
    assertThat(complaint("--limit", "10001/minute"))
        .contains("--limit must be at most 10000 a window, or drawing takes long: 10001");
  }

  @Test
  void a_window_too_long_to_draw_is_refused() {
    assertThat(complaint("--limit", "10 per 2 years"))
        .contains("--limit must have a window from 1 millisecond to 1 year: ");
  }

  @Test
  void a_width_out_of_range_is_refused() {
    assertThat(complaint("--width", "0")).contains("--width must be from 70 to 500: 0");
  }

  @Test
  void an_unknown_scenario_is_refused() {
    assertThat(complaint("--scenario", "edge,flood"))
        .contains("scenario must be one of edge, steady, attacker: 'flood'");
  }
}
