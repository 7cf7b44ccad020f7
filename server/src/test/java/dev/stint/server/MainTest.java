package dev.stint.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int stint(String... args) {
    return Main.run(
        Terminal.plain(), Interruption.none(), new PrintWriter(out), new PrintWriter(err), args);
  }

  @Test
  void without_a_command_it_says_which_there_are() {
    assertThat(stint()).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(
            "stint: a command must be given; the commands are: serve, check, simulate, replay, recommend, explain, top, demo, completion\n");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void an_unknown_command_is_named_with_those_that_exist() {
    assertThat(stint("frobnicate")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(
            "stint: unknown command 'frobnicate'; the commands are: serve, check, simulate, replay, recommend, explain, top, demo, completion\n")
        .contains("Run 'stint --help'");
  }

  @Test
  void an_unknown_command_is_named_with_the_nearest_one() {
    assertThat(stint("sevre")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("stint: unknown command 'sevre'; did you mean 'serve'?\n")
        .contains("Run 'stint --help'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "explain login alice --cost x | stint explain: --cost must be a whole number: 'x'",
        "simulate --seed 1.5 | stint simulate: --seed must be a whole number: '1.5'",
        "recommend a.log --share abc | stint recommend: --share must be more than 0 and at most 100, such as 99.9: abc",
        "demo --color red | stint demo: --color must be one of auto, always, never: 'red'",
        "completion fish | stint completion: SHELL must be one of bash, zsh: 'fish'",
        "top --json=yes | stint top: --json takes no value, was given 'yes'",
        "top --admin | stint top: --admin must have a value after it: --admin URL",
        "explain a b --cost 1 --cost 2 | stint explain: --cost must be given once, was given again",
        "completion | stint completion: SHELL must be given, such as: source <(./stint completion bash)",
      })
  void what_is_wrong_is_a_sentence_of_ours(String line, String sentence) {
    assertThat(stint(line.split(" "))).isEqualTo(2);
    assertThat(err.toString().lines().findFirst()).contains(sentence);
  }

  @Test
  void what_an_option_says_of_its_value_is_told_without_the_parsers_words() {
    assertThat(stint("demo", "--limit", "5/minit")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("stint demo: --limit")
        .contains("unknown unit 'minit' at column 3; did you mean 'minute'?\n")
        .doesNotContain("Invalid value", "RATE");
  }

  @Test
  void what_is_missing_is_named_with_an_example_of_the_command() {
    assertThat(stint("replay")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("stint replay: ")
        .contains(
            "--limit",
            " must be given, such as: stint replay access.log.gz --by ip --limit 100/min --algorithm all\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "serve",
        "check",
        "simulate",
        "replay",
        "recommend",
        "explain",
        "top",
        "demo",
        "completion",
        "rehearse"
      })
  void every_command_has_help_and_version_by_a_letter(String command) {
    assertThat(stint(command, "-V")).isZero();
    assertThat(out.toString()).startsWith("stint ").hasLineCount(1);
    assertThat(stint(command, "-h")).isZero();
    assertThat(out.toString()).contains("stint " + command);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void an_unknown_option_is_named_with_the_nearest_one() {
    assertThat(stint("demo", "--limt", "5/minute")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("stint demo: unknown option '--limt'; did you mean '--limit'?\n")
        .contains("Run 'stint demo --help'");
  }

  @Test
  void an_argument_too_many_is_named() {
    assertThat(stint("demo", "again")).isEqualTo(2);
    assertThat(err.toString()).startsWith("stint demo: unexpected argument 'again'\n");
  }

  @Test
  void help_lists_the_commands_and_the_exit_codes() {
    assertThat(stint("--help")).isZero();
    assertThat(out.toString())
        .contains("demo", "0     all went well", "2     it was called wrongly");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void help_of_the_demo_explains_every_option() {
    assertThat(stint("demo", "--help")).isZero();
    assertThat(out.toString())
        .contains("--limit", "--scenario", "--width", "--color", "--ascii", "100/minute")
        .doesNotContain("\u001b");
  }

  @Test
  void version_names_the_program() {
    assertThat(stint("--version")).isZero();
    assertThat(out.toString()).startsWith("stint ").hasLineCount(1);
  }

  @Test
  void a_command_has_the_version_of_the_program() {
    assertThat(stint("serve", "--version")).isZero();
    assertThat(out.toString()).startsWith("stint ").hasLineCount(1);
  }
}
