package dev.stint.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int stint(String... args) {
    return Main.run(
        Terminal.plain(), Interruption.none(), new PrintWriter(out), new PrintWriter(err), args);
  }

  /** What bash would offer for the last of these words, once it has sourced the script. */
  private List<String> offered(String... words) throws IOException, InterruptedException {
    assumeTrue(
        Stream.of("/bin/bash", "/usr/bin/bash").anyMatch(path -> Files.isExecutable(Path.of(path))),
        "bash is not here; Debian has it in the package bash");
    assertThat(stint("completion", "bash")).isZero();
    Path script = Files.writeString(folder.resolve("completion.bash"), out.toString());
    String ask =
        "source \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMP_LINE=\"$*\";"
            + " COMP_POINT=${#COMP_LINE}; _complete_stint; printf '%s\\n' \"${COMPREPLY[@]}\"";
    Process bash =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of("bash", "--norc", "-c", ask, script.toString()), Stream.of(words))
                    .toList())
            .redirectError(ProcessBuilder.Redirect.DISCARD) // compopt: nobody pressed tab
            .start();
    bash.getOutputStream().close();
    String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return printed.lines().map(String::strip).toList();
  }

  @Test
  void bash_completes_a_command() throws IOException, InterruptedException {
    assertThat(offered("stint", "sim")).containsExactly("simulate");
  }

  @Test
  void bash_completes_an_option_of_a_command() throws IOException, InterruptedException {
    assertThat(offered("stint", "recommend", "--sh")).containsExactly("--share");
  }

  @Test
  void bash_offers_every_command_that_help_shows_and_no_other()
      throws IOException, InterruptedException {
    assertThat(offered("stint", ""))
        .contains("serve", "check", "simulate", "replay", "recommend", "completion")
        .doesNotContain("rehearse");
  }

  @Test
  void an_unknown_shell_is_told_with_those_that_are_known() {
    assertThat(stint("completion", "fish")).isEqualTo(2);
    assertThat(err.toString()).contains("bash", "zsh", "fish");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void help_starts_with_how_to_install_it() {
    assertThat(stint("completion", "--help")).isZero();
    assertThat(out.toString()).startsWith("Example: source <(./stint completion bash)\n");
  }
}
