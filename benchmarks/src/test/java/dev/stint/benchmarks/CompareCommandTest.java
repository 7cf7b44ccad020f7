package dev.stint.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CompareCommandTest {

  private static final String[] API = {
    "dev/stint/RateLimiter.class", "dev/stint/Limit.class", "dev/stint/memory/MemoryStore.class"
  };

  @TempDir private Path folder;

  private Path jar(String name, String... entries) throws IOException {
    Path file = folder.resolve(name);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (String entry : entries) {
        zip.putNextEntry(new ZipEntry(entry));
        zip.closeEntry();
      }
    }
    return file;
  }

  /** The first line of what the command complains about; it must end with the code for misuse. */
  private static String complaint(Object... args) {
    StringWriter errors = new StringWriter();
    int code =
        new CommandLine(new CompareCommand())
            .setErr(new PrintWriter(errors))
            .execute(List.of(args).stream().map(Object::toString).toArray(String[]::new));
    assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
    return errors.toString().lines().findFirst().orElse("");
  }

  @Test
  void both_jars_must_be_named() throws IOException {
    assertThat(complaint()).isEqualTo("Missing required parameters: 'OLD.jar', 'NEW.jar'");
    assertThat(complaint(jar("old.jar", API))).isEqualTo("Missing required parameter: 'NEW.jar'");
  }

  @Test
  void a_jar_that_is_missing_or_something_else_is_refused_before_anything_is_measured()
      throws IOException {
    Path core = jar("core.jar", API);
    Path none = folder.resolve("none.jar");
    assertThat(complaint(none, core))
        .isEqualTo("OLD.jar must be a jar of stint-core: " + none + " does not exist");
    assertThat(complaint(core, none))
        .isEqualTo("NEW.jar must be a jar of stint-core: " + none + " does not exist");
    assertThat(complaint(folder, core))
        .isEqualTo("OLD.jar must be a jar of stint-core: " + folder + " is not a file");
    Path text = Files.writeString(folder.resolve("text.jar"), "no zip");
    assertThat(complaint(core, text))
        .isEqualTo("NEW.jar must be a jar of stint-core: " + text + " is not a jar");
    Path other = jar("other.jar", "dev/stint/RateLimiter.class");
    assertThat(complaint(core, other))
        .isEqualTo(
            "NEW.jar must be a jar of stint-core: " + other + " has no dev/stint/Limit.class");
  }

  @Test
  void there_must_be_a_round_and_a_row() throws IOException {
    Path core = jar("core.jar", API);
    assertThat(complaint(core, core, "--rounds", 0)).isEqualTo("--rounds must be at least 1: 0");
    assertThat(complaint(core, core, "--rounds", "many"))
        .startsWith("Invalid value for option '--rounds'");
    assertThat(complaint(core, core, "--only", "nothing"))
        .isEqualTo("--only must match the id of a row: nothing matches none");
  }

  @Test
  void four_algorithms_are_measured_in_four_ways_and_three_limits_at_once() {
    List<Cell> all = CompareCommand.cells(Pattern.compile(""));
    assertThat(all).extracting(CompareReport::row).doesNotHaveDuplicates().hasSize(17);
    assertThat(all)
        .extracting(CompareReport::row)
        .contains(
            "three limits on one key, hot, 1 T",
            "token bucket, hot, 1 T",
            "fixed window, hot, 2 T",
            "sliding counter, 1 M, 1 T",
            "sliding log of 100, hot, 1 T, refused");
    assertThat(CompareCommand.cells(Pattern.compile("hits/hot-2-t/"))).hasSize(4);
  }

  @Test
  void forks_find_the_jar_before_everything_else() throws Exception {
    CoreJar core = CoreJar.of("OLD.jar", jar("core.jar", API), folder.resolve("copy.jar"));
    String before = System.getProperty("java.class.path");
    assertThat(core.inFront(() -> System.getProperty("java.class.path")))
        .isEqualTo(folder.resolve("copy.jar") + File.pathSeparator + before);
    assertThat(System.getProperty("java.class.path")).isEqualTo(before);
  }

  @Test
  void a_jar_whose_classes_do_not_work_is_found_out() throws Exception {
    CoreJar empty = CoreJar.of("OLD.jar", jar("core.jar", API), folder.resolve("copy.jar"));
    assertThatThrownBy(empty::probe)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ClassFormatError");
  }

  @Test
  void a_fork_that_has_other_classes_fails() throws Exception {
    CoreJar core = CoreJar.of("OLD.jar", jar("core.jar", API), folder.resolve("copy.jar"));
    assertThatThrownBy(() -> Fork.run(CoreJar.Probe.class, List.of(core.option()), List.of()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("dev.stint.RateLimiter must come from " + core.copy());
  }
}
