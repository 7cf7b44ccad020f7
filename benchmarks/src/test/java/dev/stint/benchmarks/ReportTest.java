package dev.stint.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.benchmarks.Cell.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {

  private final Results results = new Results(new Environment(Map.of("mode", "a test")));

  private void figure(
      Section section, String row, KeySet keys, int threads, double nanos, double bytes) {
    Cell cell =
        Plan.cells().stream()
            .filter(one -> one.section() == section && one.row().equals(row))
            .filter(one -> one.column().equals(Plan.column(keys, threads)))
            .findFirst()
            .orElseThrow();
    results.figures().add(new Figure(cell, nanos, nanos - 1, nanos + 1, bytes));
  }

  private String verdict(String name) {
    return Targets.of(results).stream()
        .filter(target -> target.name().contains(name))
        .map(target -> target.measured().orElse("") + " " + target.verdict())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_target_is_held_at_its_ratio_and_missed_below() {
    figure(Section.HITS, "Bucket4j in ConcurrentHashMap", KeySet.MILLION, 1, 1200, 156);
    figure(Section.HITS, "Stint token bucket", KeySet.MILLION, 1, 300, 56);
    assertThat(verdict("1 M uniform")).isEqualTo("4.00× held");
    results.figures().clear();
    figure(Section.HITS, "Bucket4j in ConcurrentHashMap", KeySet.MILLION, 1, 1197, 156);
    figure(Section.HITS, "Stint token bucket", KeySet.MILLION, 1, 300, 56);
    assertThat(verdict("1 M uniform")).isEqualTo("3.99× missed");
  }

  @Test
  void several_limits_at_once_come_first_and_are_compared_with_the_peer_and_with_single_hits() {
    figure(Section.HITS, "Stint token bucket", KeySet.HOT, 1, 100, 56);
    figure(Section.JOINT, "Stint, three limits on one key", KeySet.HOT, 1, 300, 312);
    figure(
        Section.JOINT,
        "Bucket4j in ConcurrentHashMap, three limits on one key",
        KeySet.HOT,
        1,
        270,
        168);
    assertThat(verdict("three limits on one hot key")).isEqualTo("0.90× missed");
    assertThat(verdict("to three hits on one limit each")).isEqualTo("1.00× held");
    assertThat(new Report(results).markdown())
        .containsSubsequence("## Hits on several limits at once", "## Hits, all admitted");
  }

  @Test
  void what_was_not_measured_is_neither_held_nor_missed() {
    assertThat(verdict("one hot key, 2 threads")).isEqualTo(" not measured");
    assertThat(verdict("longest insert")).isEqualTo(" not measured");
  }

  @Test
  void the_key_string_is_not_counted_as_allocated() {
    figure(Section.HITS, Plan.KEY, KeySet.HOT, 1, 30, 56);
    figure(Section.HITS, "Stint token bucket", KeySet.HOT, 1, 90, 56.01);
    figure(Section.HITS, "Stint sliding counter", KeySet.HOT, 1, 90, 56.2);
    assertThat(verdict("not kept")).isEqualTo("0.2 B held");
    figure(Section.HITS, "Stint sliding log of 100", KeySet.HOT, 1, 90, 80);
    assertThat(verdict("not kept")).isEqualTo("24.0 B missed");
  }

  @Test
  void the_memory_target_takes_the_worst_algorithm_and_not_the_log() {
    results.retained().add(new Retained("Stint token bucket", 1_000_000, 44, 45));
    results.retained().add(new Retained("Stint sliding counter", 1_000_000, 48, 49));
    results.retained().add(new Retained("Stint sliding log of 100, 1 entry", 1_000_000, 90, 91));
    assertThat(verdict("retained per key at 1,000,000")).isEqualTo("48.0 B held");
  }

  @Test
  void the_report_has_a_table_for_what_was_measured_and_none_for_the_rest() {
    figure(Section.HITS, "Stint token bucket", KeySet.HOT, 1, 90, 56);
    assertThat(new Report(results).markdown())
        .contains("## Targets", "## Hits, all admitted", "| 90 (89–91) |", "- mode: a test")
        .doesNotContain("## Retained", "## Other ways");
  }

  @Test
  void every_figure_has_an_id_of_its_own() {
    List<String> ids = new ArrayList<>(Plan.cells().stream().map(Cell::id).toList());
    Retained.jobs(false).forEach(job -> ids.add(job.id()));
    Growth.jobs().forEach(job -> ids.add(job.id()));
    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void a_quick_run_measures_every_target() {
    for (Cell cell : Plan.cells()) {
      if (cell.quick()) {
        results.figures().add(new Figure(cell, 100, 99, 101, 56));
      }
    }
    for (Retained.Job job : Retained.jobs(true)) {
      if (job.quick()) {
        for (String keys : job.args()) {
          if (keys.endsWith("000")) {
            results.retained().add(new Retained(job.row(), Integer.parseInt(keys), 40, 41));
          }
        }
      }
    }
    results.growth().add(new Growth("Stint token bucket", 3, 2, 1, 1, 1, 300));
    assertThat(Targets.of(results))
        .allSatisfy(target -> assertThat(target.measured()).as(target.name()).isPresent());
  }

  @Test
  void the_size_of_an_object_is_a_header_and_its_fields() {
    assertThat(Targets.sizeOf(Object.class)).isEqualTo(16);
    assertThat(Targets.sizeOf(Stalls.Stall.class)).isEqualTo(32);
  }
}
