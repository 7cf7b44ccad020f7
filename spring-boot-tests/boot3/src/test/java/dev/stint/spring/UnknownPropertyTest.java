package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** A property in a file that does not exist stops the start: a typo could disable a limit. */
@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertyTest {

  private static final String ENVIRONMENT =
      StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;

  @TempDir Path folder;

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class App {}

  private ConfigurableApplicationContext start(String yaml, Map<String, Object> variables)
      throws IOException {
    Path file = Files.writeString(folder.resolve("app.yaml"), yaml);
    Map<String, Object> environment = new HashMap<>(System.getenv());
    environment.putAll(variables);
    return new SpringApplicationBuilder(App.class)
        .web(WebApplicationType.NONE)
        .initializers(
            context ->
                context
                    .getEnvironment()
                    .getPropertySources()
                    .replace(
                        ENVIRONMENT, new SystemEnvironmentPropertySource(ENVIRONMENT, environment)))
        .run("--spring.main.banner-mode=off", "--spring.config.location=file:" + file);
  }

  private void assertRefused(CapturedOutput output, String yaml, String sentence) {
    assertThatThrownBy(() -> start(yaml, Map.of())).isNotNull();
    assertThat(output.getAll()).contains("APPLICATION FAILED TO START").contains(sentence);
  }

  @Test
  void of_a_rule(CapturedOutput output) {
    assertRefused(
        output,
        """
        stint:
          rules:
            api:
              limit: 100/min
              chargeon: 401
              mathc: /api/**
        """,
        "There is no property 'stint.rules.api.mathc' (");
    assertThat(output.getAll())
        .contains("app.yaml] - 6:14); did you mean 'stint.rules.api.match'?")
        .contains("Correct or remove it: a typo could disable a limit.")
        .doesNotContain("There is no property 'stint.rules.api.chargeon'");
  }

  @Test
  void of_the_top(CapturedOutput output) {
    assertRefused(
        output, "stint.trusted-proxy: 10.0.0.0/8", "did you mean 'stint.trusted-proxies'");
  }

  @Test
  void of_a_group(CapturedOutput output) {
    assertRefused(output, "stint.redis.prefx: a", "did you mean 'stint.redis.prefix'?");
  }

  @Test
  void that_is_like_no_other(CapturedOutput output) {
    assertRefused(output, "stint.memory.colour: red", "There is no property 'stint.memory.colour'");
    assertThat(output.getAll()).contains("; under stint.memory there are [max-keys]");
  }

  @Test
  void beneath_one_that_has_a_value(CapturedOutput output) {
    assertRefused(output, "stint.store.kind: redis", "; stint.store has no properties of its own");
  }

  @Test
  void variables_that_kubernetes_sets_for_a_service_of_that_name_are_left_alone() throws Exception {
    Map<String, Object> variables =
        Map.of(
            "STINT_PORT", "tcp://10.96.0.12:8080",
            "STINT_SERVICE_HOST", "10.96.0.12",
            "STINT_PORT_8080_TCP", "tcp://10.96.0.12:8080");
    try (ConfigurableApplicationContext app = start("stint.rules.api.limit: 100/min", variables)) {
      assertThat(app.getBean(HttpLimiters.class).rules()).hasSize(1);
      assertThat(app.getEnvironment().getProperty("stint.port")).startsWith("tcp:");
    }
  }

  @Test
  void all_that_exist_may_be_given_in_a_file() throws Exception {
    List<String> lines =
        List.of(
            "stint.rules.api.limit: 100/min",
            "stint.rules.api.charge-on: [401, 403]",
            "stint.rules.api.match: [/a, /b]",
            "stint.rules.api.onStoreError: deny",
            "stint.allow: []",
            "stint.redis.deadline: 10ms");
    try (ConfigurableApplicationContext app = start(String.join("\n", lines), Map.of())) {
      assertThat(app.getBean(HttpLimiters.class).rules()).hasSize(1);
    }
  }
}
