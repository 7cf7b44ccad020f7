package dev.stint.promises;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A hit allocates its decision and nothing else, in every algorithm and in every form of state; and
 * not even that where the decision is only read.
 */
class AllocationTest {

  // Its size with compressed references; a JVM of its own is asked for them.
  private static final double DECISION = 96;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1000000/second",
        "1000000000/second",
        "30000/day fixed-window",
        "1000000000/day fixed-window-per-key",
        "50/minute sliding-counter",
        "1000000/minute sliding-counter",
        "100/minute sliding-log",
        "1000000000 total",
      })
  void a_hit_on_a_known_key_allocates_no_more_than_its_decision(String rate)
      throws IOException, InterruptedException {
    // -Xbatch: the compiler works when it is called, so a busy machine makes no difference.
    Process probe =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xbatch",
                "-Xmx256m",
                "-cp",
                System.getProperty(
                    "surefire.real.class.path", System.getProperty("java.class.path")),
                "dev.stint.promises.AllocationProbe",
                rate)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    assertThat(probe.waitFor()).isZero();
    String[] bytes = line.split(" ", -1);
    assertThat(Double.parseDouble(bytes[0])).isLessThan(DECISION + 0.5);
    assertThat(Double.parseDouble(bytes[1])).isLessThan(0.5);
  }
}
