package dev.stint.studio.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.studio.cli.Span;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScenarioTest {

  @ParameterizedTest
  @EnumSource
  void traffic_comes_in_order_and_within_its_windows(Scenario scenario) {
    for (long amount : new long[] {1, 3, 100, 10_000}) {
      for (long window : new long[] {1000, Span.SECOND, Span.MINUTE, 365 * 24 * 60 * Span.MINUTE}) {
        long[] traffic = scenario.traffic(amount, window).toArray();
        assertThat(traffic).isSorted().hasSizeGreaterThan((int) amount);
        assertThat(traffic[0]).isNotNegative();
        assertThat(traffic[traffic.length - 1]).isLessThan(scenario.windows() * window);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_scenario_is_found_by_its_word_in_any_case(Scenario scenario) {
    assertThat(Scenario.of(scenario.toString())).isEqualTo(scenario);
    assertThat(Scenario.of(scenario.name())).isEqualTo(scenario);
  }

  @Test
  void an_unknown_scenario_is_refused_with_those_that_exist() {
    assertThatThrownBy(() -> Scenario.of("edgy"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("scenario must be one of edge, steady, attacker: 'edgy'");
  }
}
