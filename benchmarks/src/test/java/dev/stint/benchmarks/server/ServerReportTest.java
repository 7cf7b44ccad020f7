package dev.stint.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.benchmarks.Environment;
import dev.stint.benchmarks.Spread;
import dev.stint.benchmarks.server.Rounds.Round;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ServerReportTest {

  private static final Contest HTTP =
      new Contest(
          "http",
          "HTTP",
          contestant("a constant"),
          List.of(contestant("Stint")),
          OptionalDouble.of(0.8),
          true);

  private static Contestant contestant(String label) {
    return new Contestant(
        label,
        millis -> {
          throw new IllegalStateException("not asked");
        },
        OptionalLong.empty());
  }

  private static Figures figures(double stint) {
    Map<String, String> facts = new LinkedHashMap<>(Map.of("load", "nobody else"));
    Figures figures = new Figures(new Environment(facts));
    Rounds rounds = new Rounds();
    for (int i = 1; i <= 3; i++) {
      rounds.add("a constant", new Round(1_000, 1_000, 10, 20, 30, 0.010));
      rounds.add("Stint", new Round(1_000, stint * i, 12, 30, 60, 0.020));
    }
    figures.throughput().add(new Figures.Throughput(HTTP, rounds));
    figures.latencies().add(new Figures.Latency(HTTP, Figures.HALF, 500, rounds));
    figures.latencies().add(new Figures.Latency(HTTP, 0.75, 750, rounds));
    figures.allocations().add(new Figures.Allocation("STINT.HIT", 1, 150, 100));
    figures.allocations().add(new Figures.Allocation("STINT.HIT", 16, 6.5, 6));
    figures.memory(new Figures.Memory(1_000_000, 90, 280, 300));
    figures.firstAnswer(new Spread(1_200, 1_100, 1_600));
    return figures;
  }

  @Test
  void targets_are_medians_of_the_rounds_ratios() {
    assertThat(new ServerReport(figures(450)).markdown())
        .containsPattern(
            "HTTP: Stint, answers per second to those of a constant +\\| ≥ 0.80× \\| 0.90× \\| +held")
        .containsPattern(
            "HTTP: p99 at half of the highest rate, to that of a constant +\\| ≤ 2.00× \\| 1.50×")
        .containsPattern("STINT.HIT, 16 pipelined: bytes allocated .* ≤ 1.0 +\\| +0.5 +\\| +held")
        .containsPattern(
            "memory with a million live keys, at the most, MB +\\| +≤ 400 +\\| +300 +\\| +held")
        .containsPattern(
            "first answer after the start of the process, s +\\| +≤ 1.50 +\\| +1.20 +\\| +held")
        .doesNotContain("Missed:");
  }

  @Test
  void what_is_missed_is_told_with_what_is_known_of_the_reason() {
    assertThat(new ServerReport(figures(300)).markdown())
        .contains("|  missed |")
        .contains(
            "- HTTP: Stint, answers per second to those of a constant: 0.60× instead of ≥ 0.80×; the"
                + " rounds' ratios go from 0.30 to 0.90, its process took 20.0 µs of processor time"
                + " per request, the floor's 10.0 µs (machine: nobody else).");
  }

  @Test
  void what_was_not_measured_is_said_to_be_so() {
    String report = new ServerReport(new Figures(new Environment(Map.of()))).markdown();
    assertThat(report).contains("not measured").doesNotContain("Missed:");
  }

  @Test
  void json_tells_the_same() {
    assertThat(new ServerReport(figures(450)).json())
        .contains("\"firstAnswerMillis\": 1200.000")
        .contains("\"megabytesAtMost\": 300.000")
        .contains("\"share\": 0.750");
  }

  @Test
  void refusals_where_all_should_pass_end_the_run() {
    Histogram latencies = new Histogram(1_000, 3);
    latencies.recordValueWithCount(1, 1_000);
    assertThat(new Tally(1_000, 1, 1_000_000_000, latencies).checked("HTTP").perSecond())
        .isEqualTo(1_000);
    assertThatThrownBy(() -> new Tally(1_000, 2, 1, latencies).checked("HTTP"))
        .hasMessage("HTTP must be answered, and admitted: of 1000 answers 2 were refusals");
  }
}
