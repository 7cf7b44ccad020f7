package dev.stint.examples.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Server;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class HealthServerTest {

  @Test
  void answers_five_times_and_then_says_when_to_come_back() throws Exception {
    Server server = HealthServer.start(0);
    try {
      List<String> lines = whatTheClientSays(server.getPort());
      assertThat(lines).hasSize(6);
      assertThat(lines.subList(0, 5)).containsOnly("SERVING");
      assertThat(lines.get(5)).matches("refused; may come back in ([1-9]|1[0-2]) s");
    } finally {
      server.shutdownNow().awaitTermination();
    }
  }

  private static List<String> whatTheClientSays(int port) {
    PrintStream console = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      HealthClient.main(new String[] {Integer.toString(port)});
    } finally {
      System.setOut(console);
    }
    return said.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
