package dev.stint.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AllocationTest {

  private static Map<String, Double> bytesPerRequest() throws Exception {
    Process probe =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of("..", "bin", "service.options"), // as the launcher starts it
                "-cp",
                System.getProperty("java.class.path"),
                AllocationProbe.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(probe.waitFor()).as(output).isZero();
    Map<String, Double> measured = new HashMap<>();
    for (String line : output.strip().split("\n", -1)) {
      String[] words = line.split(" ", -1);
      measured.put(words[0], Double.valueOf(words[1]));
    }
    return measured;
  }

  /** A PING costs what the network library needs; a decision must cost no more. */
  @Test
  void a_request_allocates_nothing_beyond_what_the_network_library_needs() throws Exception {
    Map<String, Double> measured = bytesPerRequest();
    double network = measured.getOrDefault("PING", Double.NaN);
    assertThat(measured.get("STINT.HIT")).as("%s", measured).isLessThan(network + 4);
    assertThat(measured.get("STINT.HIT-admitted")).as("%s", measured).isLessThan(network + 4);
    assertThat(measured.get("CL.THROTTLE")).as("%s", measured).isLessThan(network + 4);
    assertThat(network).as("%s", measured).isLessThan(24);
  }
}
