package dev.stint.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.stint.benchmarks.Comparison.Measurement;
import dev.stint.benchmarks.Comparison.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  private static final Cell CELL = CompareCommand.cells(Pattern.compile("")).get(0);

  /** Old and new nanoseconds in turn. */
  private static Comparison of(double... nanos) {
    List<Round> rounds = new ArrayList<>();
    for (int i = 0; i < nanos.length; i += 2) {
      rounds.add(new Round(new Measurement(nanos[i], 56), new Measurement(nanos[i + 1], 56)));
    }
    return new Comparison(CELL, rounds);
  }

  private static Comparison allocating(double older, double newer) {
    return new Comparison(
        CELL, List.of(new Round(new Measurement(100, older), new Measurement(100, newer))));
  }

  @Test
  void the_ratio_is_the_median_of_the_rounds_ratios() {
    Comparison comparison = of(100, 104, 200, 180, 50, 60);
    assertThat(comparison.ratio().median()).isCloseTo(1.04, within(1e-9));
    assertThat(comparison.ratio().low()).isCloseTo(0.9, within(1e-9));
    assertThat(comparison.ratio().high()).isCloseTo(1.2, within(1e-9));
    assertThat(comparison.olderNanos()).isEqualTo(100);
    assertThat(comparison.newerNanos()).isEqualTo(104);
  }

  @Test
  void a_round_that_the_machine_slowed_down_for_both_does_not_count_against_the_new_build() {
    assertThat(of(100, 101, 900, 909, 100, 101).verdict()).isEqualTo("held");
  }

  @Test
  void one_twentieth_more_is_held_and_a_little_more_is_not() {
    assertThat(of(100, 105).verdict()).isEqualTo("held");
    assertThat(of(100, 105.1).verdict()).isEqualTo("slower");
  }

  @Test
  void any_more_object_is_noticed() {
    assertThat(allocating(56.1, 56.9).verdict()).isEqualTo("held");
    assertThat(allocating(56, 72).verdict()).isEqualTo("allocates more");
    assertThat(allocating(72, 56).verdict()).isEqualTo("held");
  }

  @Test
  void a_comparison_without_rounds_is_refused() {
    assertThatThrownBy(() -> of())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a comparison must have at least one round: 0");
  }

  @Test
  void the_report_names_the_rows_that_are_worse() {
    CompareReport report =
        new CompareReport(new Environment(Map.of("mode", "a test")), List.of(of(100, 120)));
    assertThat(report.targets()).extracting(Target::verdict).containsExactly("missed", "held");
    assertThat(report.markdown())
        .contains("1: three limits on one key, hot, 1 T")
        .containsPattern("\\|\\s+1.200 \\| 1.200…1.200 \\|")
        .contains("- mode: a test");
    assertThat(report.json()).contains("\"ratio\": 1.200").contains("\"verdict\": \"slower\"");
    CompareReport good =
        new CompareReport(new Environment(Map.of("mode", "a test")), List.of(of(100, 90)));
    assertThat(good.targets()).extracting(Target::verdict).containsExactly("held", "held");
  }
}
