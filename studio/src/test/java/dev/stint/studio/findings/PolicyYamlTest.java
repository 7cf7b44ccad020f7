package dev.stint.studio.findings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Limit;
import dev.stint.studio.trial.Timeline;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyYamlTest {

  @Test
  void one_limit_stands_on_its_line() {
    assertThat(PolicyYaml.inShadow("api", Limit.parseAll("100/minute burst 20")))
        .isEqualTo(
            """
            policies:
              api:
                limits: 100/minute burst 20
                mode: shadow   # counts, refuses nobody; without this line it refuses
            """);
  }

  @Test
  void several_limits_are_a_list() {
    assertThat(PolicyYaml.inShadow("api", Limit.parseAll("10/second; 100/hour fixed-window")))
        .isEqualTo(
            """
            policies:
              api:
                limits:
                  - 10/second
                  - 100/hour fixed-window
                mode: shadow   # counts, refuses nobody; without this line it refuses
            """);
  }

  @Test
  void a_name_that_looks_like_something_else_is_quoted() {
    for (String name : List.of("1.5", "true", "No", "2026-01-01")) {
      assertThat(PolicyYaml.inShadow(name, Limit.parseAll("1/minute")))
          .contains("\n  \"" + name + "\":\n");
    }
  }

  @Test
  void a_name_that_no_policy_can_have_is_refused_with_a_sentence() {
    for (String name : List.of("", "-a", "a b", "a: b\nstore: redis", "x".repeat(65))) {
      assertThatThrownBy(() -> PolicyYaml.inShadow(name, Limit.parseAll("1/minute")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "the name of a policy must be 1 to 64 of the characters A-Z a-z 0-9 _ . - and begin"
                  + " with a letter or digit: '"
                  + name
                  + "'");
    }
  }

  private static Findings.Lane lane(String limit, long unneeded, long missed) {
    Timeline none = new Timeline(0, 1, 2);
    String name = Limit.parse(limit).kind().word();
    return new Findings.Lane(
        name, List.of(limit), 9, 9, 1, 1, 1, unneeded, missed, none, none, List.of());
  }

  @Test
  void of_several_lanes_the_closest_to_the_exact_log_is_taken_but_not_the_log() {
    Findings.Lane exact = lane("9/minute sliding-log", 0, 0);
    Findings.Lane far = lane("9/minute fixed-window", 0, 5);
    Findings.Lane near = lane("9/minute sliding-counter", 2, 1);
    assertThat(PolicyYaml.ofClosest(List.of(far, exact, near)))
        .startsWith("policies:\n  default:\n    limits: 9/minute sliding-counter\n");
    assertThat(PolicyYaml.ofClosest(List.of(exact))).contains("limits: 9/minute sliding-log\n");
  }
}
