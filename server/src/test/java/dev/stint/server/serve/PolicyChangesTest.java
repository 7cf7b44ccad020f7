package dev.stint.server.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.server.config.PolicySettings;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyChangesTest {

  private static Map<String, PolicySettings> policies(String... namesAndLimits) {
    Map<String, PolicySettings> policies = new LinkedHashMap<>();
    for (int i = 0; i < namesAndLimits.length; i += 2) {
      policies.put(namesAndLimits[i], PolicySettings.of(Limit.parseAll(namesAndLimits[i + 1])));
    }
    return policies;
  }

  @Test
  void what_was_added_removed_and_changed_is_named() {
    assertThat(
            PolicyChanges.between(
                policies("same", "1/minute", "gone", "1/minute", "api", "1/minute"),
                policies("same", "1/minute", "api", "2/minute", "login", "1/minute")))
        .isEqualTo("policies added: login; removed: gone; changed: api");
  }

  @Test
  void that_none_has_changed_is_said() {
    assertThat(PolicyChanges.between(policies("a", "1/minute"), policies("a", "1/minute")))
        .isEqualTo("no policy has changed");
  }

  @Test
  void of_many_the_first_ten_are_named() {
    String[] many = new String[24];
    for (int i = 0; i < many.length; i += 2) {
      many[i] = "p" + i / 2;
      many[i + 1] = "1/minute";
    }
    assertThat(PolicyChanges.between(Map.of(), policies(many)))
        .isEqualTo("policies added: p0, p1, p2, p3, p4, p5, p6, p7, p8, p9 and 2 more");
  }
}
