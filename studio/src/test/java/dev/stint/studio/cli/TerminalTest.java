package dev.stint.studio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class TerminalTest {

  private static Terminal terminal(String columns, Map<String, String> environment) {
    Properties properties = new Properties();
    properties.setProperty("stint.columns", columns);
    return Terminal.of(properties, environment);
  }

  @Test
  void a_terminal_has_colour_and_the_width_that_the_launcher_saw() {
    assertThat(terminal("132", Map.of("TERM", "xterm"))).isEqualTo(new Terminal(true, 132, 0));
  }

  @Test
  void a_file_or_pipe_has_neither() {
    Terminal plain = new Terminal(false, 80, 0);
    assertThat(terminal("0", Map.of())).isEqualTo(plain);
    assertThat(Terminal.of(new Properties(), Map.of())).isEqualTo(plain);
  }

  @Test
  void a_width_that_is_no_number_counts_as_none() {
    assertThat(terminal("wide", Map.of())).isEqualTo(new Terminal(false, 80, 0));
  }

  @Test
  void no_colour_is_honoured_when_it_is_not_empty() {
    assertThat(terminal("100", Map.of("NO_COLOR", "1"))).isEqualTo(new Terminal(false, 100, 0));
    assertThat(terminal("100", Map.of("NO_COLOR", ""))).isEqualTo(new Terminal(true, 100, 0));
  }

  @Test
  void a_dumb_terminal_has_no_colour() {
    assertThat(terminal("100", Map.of("TERM", "dumb"))).isEqualTo(new Terminal(false, 100, 0));
  }
}
