package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.env.MockEnvironment;

/** Only the actuator's own paths are exempt, and only where the actuator is. */
class ProbePathsTest {

  private static final String HEALTH = "/actuator/health/**";

  private static List<String> with(String... properties) {
    MockEnvironment environment = new MockEnvironment();
    for (String property : properties) {
      String[] parts = property.split("=", 2);
      environment.setProperty(parts[0], parts[1]);
    }
    return ProbePaths.of(environment);
  }

  @ParameterizedTest
  @CsvSource({
    "9000, 9000, true",
    "8080, '', true",
    "9000, '', false",
    "9000, 8080, false",
    "0, 0, false",
    "-1, 8080, false",
    "'', 9000, true",
  })
  void health_is_exempt_if_the_actuator_is_on_the_port_of_the_application(
      String actuator, String application, boolean expected) {
    List<String> paths = with("management.server.port=" + actuator, "server.port=" + application);
    assertThat(paths.contains(HEALTH)).isEqualTo(expected);
  }

  @Test
  void additional_paths_are_on_the_port_of_the_application_in_any_case() {
    assertThat(
            with(
                "management.server.port=9000",
                "management.endpoint.health.probes.add-additional-paths=true",
                "management.endpoint.health.group.live.additional-path=server:/up"))
        .containsExactly("/livez", "/readyz", "/up");
  }

  @Test
  void health_at_the_root_does_not_exempt_everything() {
    String base = "management.endpoints.web.base-path=/";
    String health = "management.endpoints.web.path-mapping.health=";
    assertThat(with(base)).containsExactly("/health/**");
    assertThat(with(base, health + "/")).containsExactly("/");
    assertThat(with(base, health + "/", "spring.mvc.servlet.path=/api")).containsExactly("/api");
  }
}
