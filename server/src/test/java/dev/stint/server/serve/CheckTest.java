package dev.stint.server.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CheckTest {

  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int check(String... files) {
    return checkWith(Map.of(), files);
  }

  private int checkWith(Map<String, String> environment, String... files) {
    return new CommandLine(new Check(environment, directory))
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(files);
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  @Test
  void a_good_file_is_told_with_what_it_has() throws IOException {
    String file =
        write(
            "stint.yaml",
            """
            store: redis://:secret@localhost
            policies: {a: 5/minute, b: 5/minute, c: 5/minute}
            rls: {domains: [{domain: d}, {domain: e}]}
            """);
    assertThat(check(file)).isZero();
    assertThat(out.toString()).isEqualTo(file + ": ok: 3 policies, 2 domains, store redis\n");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void an_empty_file_is_told_to_be_so() throws IOException {
    String file = write("stint.yaml", "");
    assertThat(check(file)).isZero();
    assertThat(out.toString())
        .isEqualTo(file + ": ok: empty, so the standard: 1 policy, 0 domains, store memory\n");
  }

  @Test
  void every_mistake_of_every_file_is_a_line_and_the_code_is_one() throws IOException {
    String good = write("good.yaml", "policies: {a: 5/minute}");
    String bad = write("bad.yaml", "policies: {a: 5/minit}\nstor: memory");
    String missing = directory.resolve("missing.yaml").toString();
    assertThat(check(bad, good, missing)).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            bad
                + ":1:17: unknown unit 'minit'; did you mean 'minute'?\n"
                + bad
                + ":2:1: unknown word 'stor' in the file; did you mean 'store'?\n"
                + missing
                + ": must be there, and is not; check the path\n");
    assertThat(out.toString()).isEqualTo(good + ": ok: 1 policy, 0 domains, store memory\n");
  }

  @Test
  void without_a_file_it_is_called_wrongly() {
    assertThat(check()).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(
            "FILE must be given where there is no ./stint.yaml, such as: stint check"
                + " config/stint.yaml\n");
  }

  @Test
  void without_a_file_it_takes_what_the_service_would_take() throws IOException {
    String usual = write("stint.yaml", "policies: {a: 5/minute}");
    assertThat(check()).isZero();
    assertThat(out.toString()).isEqualTo(usual + ": ok: 1 policy, 0 domains, store memory\n");
    out.getBuffer().setLength(0);
    String other = write("other.yaml", "policies: {a: 5/minute, b: 5/minute}");
    assertThat(checkWith(Map.of("STINT_CONFIG", other))).isZero();
    assertThat(out.toString()).isEqualTo(other + ": ok: 2 policies, 0 domains, store memory\n");
  }

  @Test
  void with_a_path_that_cannot_be_it_is_called_wrongly() {
    assertThat(check("a\0b")).isEqualTo(2);
  }
}
