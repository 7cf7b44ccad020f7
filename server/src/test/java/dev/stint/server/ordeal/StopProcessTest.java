package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.Decision;
import dev.stint.algorithm.Operation;
import dev.stint.lab.RedisServer;
import dev.stint.server.Main;
import dev.stint.server.engine.Policy;
import dev.stint.server.serve.Service;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are told to stop by signals. */
class StopProcessTest {

  private static final int STOPS = Math.max(1, Integer.getInteger("stint.stops", 5) / 5);
  private static final int LIMIT = 1_000_000;

  @TempDir Path folder;

  private Process start(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("stint.yaml"), yaml);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String paths =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    java, "-cp", paths, Main.class.getName(), "serve", "--config", file.toString()))
            .redirectError(folder.resolve("err.txt").toFile());
    builder.environment().remove("KUBERNETES_SERVICE_HOST");
    return builder.start();
  }

  private static Map<String, Integer> ports(Process process) throws IOException {
    BufferedReader out = process.inputReader();
    Map<String, Integer> ports = new HashMap<>();
    for (String line = out.readLine();
        line != null && !line.equals("ready");
        line = out.readLine()) {
      String[] words = line.split("\\s+", -1);
      if (words.length == 2 && words[1].startsWith("127.0.0.1:")) {
        ports.put(words[0], Integer.parseInt(words[1].substring(10)));
      }
    }
    return ports;
  }

  @Test
  @Tag("redis")
  void a_process_that_gets_sigterm_under_load_answers_all_that_it_charged() throws Exception {
    for (int stop = 0; stop < STOPS; stop++) {
      try (RedisServer redis = RedisServer.start();
          Tasks tasks = new Tasks()) {
        String yaml = Setup.WIDE + "store: {url: '" + redis.uri() + "', deadline: 10s}\n";
        Process process = start(yaml);
        List<LoadClient> clients = new ArrayList<>();
        try {
          Map<String, Integer> ports = ports(process);
          clients.add(LoadClient.http(ports.get("http"), 1));
          clients.add(LoadClient.http(ports.get("http"), 100));
          clients.add(LoadClient.http2(ports.get("http"), 50));
          clients.add(LoadClient.resp(ports.get("resp"), 100));
          clients.add(LoadClient.grpc(ports.get("grpc"), 50)); // counted by a rule of its own
          clients.forEach(client -> tasks.once(client::run));
          await()
              .atMost(Duration.ofSeconds(60))
              .until(
                  () ->
                      clients.stream().allMatch(client -> client.answered() > 20)
                          || !tasks.troubles().isEmpty());
          assertThat(tasks.troubles()).isEmpty();
          process.destroy(); // SIGTERM
          assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
          assertThat(process.exitValue()).isZero();
          tasks.join();
          assertThat(tasks.troubles()).isEmpty();
          int answered = clients.subList(0, 4).stream().mapToInt(LoadClient::answered).sum();
          assertThat(answered).as("answers, stop %s", stop).isEqualTo(charged(yaml));
          LoadClient grpc = clients.get(4);
          assertThat(grpc.answered()).as("answers of gRPC").isEqualTo(grpc.sent());
        } finally {
          process.destroyForcibly();
          for (LoadClient client : clients) {
            client.close();
          }
        }
      }
    }
  }

  /** What the policy counted for the key, asked of Redis by another service. */
  private int charged(String yaml) {
    try (Service another = Service.start(Setup.read(folder, yaml))) {
      Policy api = Objects.requireNonNull(another.engine().policies().find("api"));
      byte[] key = "a".getBytes(StandardCharsets.UTF_8);
      return await()
          .until(
              () -> {
                Decision decision =
                    another
                        .engine()
                        .askAsync(Operation.PEEK, api, key, 1)
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS);
                return decision.degraded() ? -1 : LIMIT - (int) decision.remaining();
              },
              count -> count >= 0);
    }
  }

  @Test
  void a_second_signal_ends_the_process_at_once() throws Exception {
    Process process = start(Setup.WIDE + "bounds: {shutdown-delay: 60s}\n");
    try {
      Map<String, Integer> ports = ports(process);
      process.destroy();
      try (Http http = Http.connect(ports.get("http"))) {
        await()
            .untilAsserted(
                () -> {
                  try (Http again = Http.connect(ports.get("http"))) {
                    assertThat(again.get("/ready").status()).isEqualTo(503);
                  }
                });
      }
      assertThat(process.isAlive()).isTrue();
      process.destroy();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
      assertThat(folder.resolve("err.txt")).content().contains("a second signal stops at once");
    } finally {
      process.destroyForcibly();
    }
  }
}
