package dev.stint.studio.findings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Limit;
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
}
