package dev.stint.studio.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table in the README's section "Which algorithm" is what {@code stint simulate} makes. */
class ReadmeTableTest {

  private static final Path README = Path.of("..", "README.md");
  private static final String BEGIN =
      "<!-- simulate: made by `stint simulate`, and compared with what it makes now in every build"
          + " -->\n";
  private static final String END = "<!-- simulate: end -->\n";

  private final String table = Command.run("--table").out();

  @Test
  void is_what_simulate_makes_now() throws IOException {
    String readme = Files.readString(README);
    assertThat(readme).containsOnlyOnce(BEGIN).containsOnlyOnce(END);
    int begin = readme.indexOf(BEGIN) + BEGIN.length();
    int end = readme.indexOf(END);
    if (Boolean.getBoolean("stint.readme.write")) {
      readme = readme.substring(0, begin) + "\n" + table + "\n" + readme.substring(end);
      Files.writeString(README, readme);
      end = readme.indexOf(END);
    }
    assertThat(readme.substring(begin, end).strip())
        .as(
            "README.md must have the table that simulate makes now. If the new one is right, write"
                + " it: mvn -pl studio -am test -Dtest=ReadmeTableTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dstint.readme.write=true")
        .isEqualTo(table.strip());
  }

  @Test
  void what_the_algorithms_pass_at_worst_is_what_the_table_above_it_says() {
    // 2 L around an edge, B + L in a window, L and not one more.
    assertThat(table)
        .contains("| `burst:200@boundary` | 60.0 %, 200 |")
        .containsPattern("`steady:200/min` .*, 199 \\|")
        .containsPattern(
            "`attacker:window` \\| [0-9.]+ %, 199 \\| [0-9.]+ %, 199 \\| [0-9.]+ %, 100");
  }
}
