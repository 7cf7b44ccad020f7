package dev.stint.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stint.benchmarks.Environment;
import dev.stint.benchmarks.Target;
import dev.stint.benchmarks.server.Rounds.Round;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ServerComparisonTest {

  private static Rounds rounds(double[] oldPerSecond, double[] newPerSecond) {
    Rounds rounds = new Rounds();
    for (int i = 0; i < oldPerSecond.length; i++) {
      rounds.add(ServerComparison.OLD, new Round(1000, oldPerSecond[i], 10, 100, 200, 0.01));
      rounds.add(ServerComparison.NEW, new Round(1000, newPerSecond[i], 10, 150, 300, 0.02));
    }
    return rounds;
  }

  private static ServerComparison comparison(double[] oldPerSecond, double[] newPerSecond) {
    Rounds rounds = rounds(oldPerSecond, newPerSecond);
    return new ServerComparison(
        new Environment(Map.of("date", "today")),
        List.of(new ServerComparison.Row("grpc", rounds, 500, rounds)));
  }

  @Test
  void the_ratio_is_the_median_of_the_rounds_and_not_that_of_the_medians() {
    double[] old = {100, 200, 400};
    double[] young = {90, 210, 400};
    ServerComparison.Row row =
        new ServerComparison.Row("http", rounds(old, young), 1, rounds(old, young));
    assertThat(row.throughput().median()).isEqualTo(1.0, within(1e-9));
    assertThat(row.throughput().low()).isEqualTo(0.9, within(1e-9));
    assertThat(row.p99().median()).isEqualTo(1.5, within(1e-9));
    assertThat(row.cpu()).isEqualTo(2.0, within(1e-9));
  }

  @Test
  void a_build_that_is_slower_by_more_than_a_twentieth_misses_its_target() {
    double[] old = {1000, 1000, 1000};
    assertThat(comparison(old, new double[] {940, 945, 990}).targets())
        .extracting(Target::verdict)
        .containsExactly("missed");
    assertThat(comparison(old, new double[] {940, 955, 990}).targets())
        .extracting(Target::verdict)
        .containsExactly("held");
  }

  @Test
  void the_report_has_both_builds_side_by_side() {
    ServerComparison comparison = comparison(new double[] {1000}, new double[] {990});
    assertThat(comparison.markdown()).contains("| grpc", "1,000", "990", "0.990");
    assertThat(comparison.json()).contains("\"ratio\"", "\"p99Ratio\"");
  }

  @Test
  void a_jar_that_is_missing_is_refused_before_anything_is_measured(@TempDir Path folder)
      throws Exception {
    Path jar = Files.writeString(folder.resolve("old.jar"), "");
    assertThat(complaint(jar, folder.resolve("none.jar")))
        .isEqualTo(
            "NEW.jar must be a jar of the service: "
                + folder.resolve("none.jar")
                + " is not a file");
    assertThat(complaint(jar, jar, "--rounds", 0)).isEqualTo("--rounds must be at least 1: 0");
    assertThat(complaint(jar, jar, "--only", "none"))
        .isEqualTo("--only must match the id of a wire: none matches none");
  }

  private static String complaint(Object... args) {
    StringWriter errors = new StringWriter();
    int code =
        new CommandLine(new CompareServerCommand())
            .setErr(new PrintWriter(errors))
            .execute(List.of(args).stream().map(Object::toString).toArray(String[]::new));
    assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
    return errors.toString().lines().findFirst().orElse("");
  }
}
