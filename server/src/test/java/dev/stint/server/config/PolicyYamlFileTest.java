package dev.stint.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.studio.findings.PolicyYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the commands print to be pasted is what the service reads. */
class PolicyYamlFileTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "default, 100/minute",
    "api, 100/minute burst 20; 1000/hour sliding-counter",
    "1.5, 1 per 10 seconds sliding-log named a.b-c_d",
    "true, 5/day fixed-window counting-denied",
    "2026-01-01, 1000 total; 7 per 3 milliseconds leaky-bucket burst 9",
    "a.b_c-d, 3 per 2 weeks fixed-window-per-key named null",
  })
  void it_is_read_as_the_same_limits_in_shadow_mode(String name, String rates) throws IOException {
    List<Limit> limits = Limit.parseAll(rates);
    Path file = folder.resolve(ConfigFile.NAME);
    Reading reading =
        ConfigFile.read(Files.writeString(file, PolicyYaml.inShadow(name, limits)), Map.of());
    assertThat(reading.mistakes()).isEmpty();
    assertThat(reading.configuration().policies()).containsOnlyKeys(name);
    PolicySettings policy = reading.configuration().policies().get(name);
    assertThat(policy.limits()).isEqualTo(limits);
    assertThat(policy.shadow()).isTrue();
  }
}
