package dev.stint.promises;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A hit allocates its decision and nothing else, in every algorithm and in every form of state; and
 * not even that where the decision is only read.
 */
class AllocationTest {

  // Its size with compressed references; a JVM of its own is asked for them.
  private static final double DECISION = 96;
  private static final double KEY = 24;
  private static final double ANSWERS = 56;
  private static final double THREE_LIMITS = 16 + 8 * (3 * 3 + 1);

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
    double[] bytes = probe(rate);
    assertThat(bytes[0]).isLessThan(DECISION + 0.5);
    assertThat(bytes[1]).isLessThan(0.5);
  }

  @Test
  void a_limit_that_is_given_in_the_call_allocates_no_more() throws Exception {
    double[] bytes = probe("1000000/second", "given");
    assertThat(bytes[0]).isLessThan(DECISION + 0.5);
    assertThat(bytes[1]).isLessThan(0.5);
  }

  @Test
  void a_hit_on_several_limits_allocates_no_more_than_its_answer() throws Exception {
    double[] bytes = probe("1000000/second; 30000000/minute; 30000/day fixed-window");
    double answer = DECISION + ANSWERS + THREE_LIMITS + KEY;
    assertThat(bytes[0]).isLessThan(answer + 0.5);
    assertThat(bytes[1]).isLessThan(answer + 0.5);
  }

  /** The bytes of a hit whose decision is kept, and of one whose decision is only read. */
  private static double[] probe(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    // -Xbatch: the compiler works when it is called, so a busy machine makes no difference.
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xbatch", "-Xmx256m", "-cp"));
    command.add(
        System.getProperty("surefire.real.class.path", System.getProperty("java.class.path")));
    command.add("dev.stint.promises.AllocationProbe");
    command.addAll(List.of(args));
    Process probe =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String line = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    assertThat(probe.waitFor()).isZero();
    return Stream.of(line.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
  }
}
