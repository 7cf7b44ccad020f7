package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Reading;
import dev.stint.server.engine.Policy;
import dev.stint.server.serve.ReloadLog;
import dev.stint.server.serve.Reloader;
import dev.stint.server.serve.Service;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The configuration is written in random pieces, and the service looks at it in between. The looks
 * are made by hand: one look between two pieces is a writer who pauses for less than a period.
 */
class PartialWritesTest {

  private static final int RELOADS = Integer.getInteger("stint.partial.reloads", 100);
  private static final long SEED = Long.getLong("stint.seed", 20261117);
  private static final Logger RELOADS_LOG = Logger.getLogger("dev.stint.server.reload");

  @TempDir Path folder;

  private final Random random = new Random(SEED);
  private final HttpClient client = HttpClient.newHttpClient();
  private Path file;

  /** What a file says: every one has clients, policies and a domain, in any order of the parts. */
  private record Content(
      Set<String> policies, String shop, String billing, String domain, String yaml) {}

  @BeforeEach
  void start() {
    file = folder.resolve("stint.yaml");
    RELOADS_LOG.setLevel(Level.OFF);
  }

  private Content content(int n) throws IOException {
    Set<String> policies = new TreeSet<>();
    int count = 1 + random.nextInt(5);
    while (policies.size() < count) {
      policies.add("policy" + random.nextInt(20));
    }
    String shop = "token-of-shop-" + n + "-0123456789";
    String billing = "token-of-billing-" + n;
    Files.writeString(folder.resolve("billing.token"), billing);
    List<String> parts = new ArrayList<>();
    parts.add(
        policies.stream()
            .map(policy -> "  " + policy + ": " + (1 + random.nextInt(1000)) + "/minute\n")
            .collect(Collectors.joining("", "policies:\n", "")));
    parts.add("clients:\n  shop: {token: " + shop + "}\n  billing: {token-file: billing.token}\n");
    parts.add("rls: {domains: [{domain: web" + n + ", descriptors: [{key: path}]}]}\n");
    parts.add("listeners: {http: \"127.0.0.1:0\", grpc: off, resp: off, admin: off}\n");
    Collections.shuffle(parts, random);
    String yaml = "# version " + n + "\n" + String.join("", parts);
    return new Content(policies, shop, billing, "web" + n, yaml);
  }

  @AfterEach
  void restore() {
    RELOADS_LOG.setLevel(null);
  }

  @Test
  @Timeout(1200)
  void a_file_that_is_being_written_is_left_alone() throws Exception {
    ReloadLog log = reloads(RELOADS, 1);
    assertThat(log.successes()).isEqualTo(RELOADS);
    assertThat(log.failures()).as("refused while they were written").isZero();
  }

  @Test
  @Timeout(1200)
  void a_writer_who_pauses_for_longer_never_removes_all_clients_or_policies() throws Exception {
    ReloadLog log = reloads(RELOADS / 5, 3);
    assertThat(log.successes()).isGreaterThanOrEqualTo(RELOADS / 5);
    assertThat(log.failures()).as("half a file was read").isPositive();
  }

  /**
   * Writes so many versions of the file while a client without a token keeps asking.
   *
   * @param mostLooks how often the service looks at most between two pieces
   */
  private ReloadLog reloads(int times, int mostLooks) throws Exception {
    Content before = content(0);
    Files.writeString(file, before.yaml);
    Reading first = ConfigFile.read(file, Map.of());
    assertThat(first.mistakes()).isEmpty();
    try (Service service = Service.start(first.configuration());
        Reloader reloader = new Reloader(first, () -> ConfigFile.read(file, Map.of()), service);
        Tasks probes = new Tasks()) {
      reloader.lookNow();
      reloader.lookNow();
      AtomicLong probed = new AtomicLong();
      probes.again(
          () -> {
            assertThat(ask(service, "policy1", "")).isEqualTo(401);
            probed.incrementAndGet();
          });
      int looks = 0;
      for (int n = 1; n <= times; n++) {
        Content next = content(n);
        Content old = before;
        looks +=
            write(
                next.yaml,
                () -> {
                  for (int i = 0; i <= random.nextInt(mostLooks); i++) {
                    reloader.lookNow();
                  }
                  assertThat(names(service)).isNotEmpty().doesNotContain("default");
                  if (mostLooks == 1) {
                    assertThat(names(service)).isEqualTo(old.policies);
                  }
                });
        reloader.lookNow();
        reloader.lookNow();
        assertInForce(service, next, old, "seed " + SEED + ", reload " + n);
        before = next;
      }
      probes.end();
      assertThat(probes.troubles()).isEmpty();
      System.out.printf(
          "%d reloads, %d looks at files in the middle, %d requests without a token%n",
          times, looks, probed.get());
      assertThat(looks).isGreaterThan(times);
      assertThat(probed.get()).isPositive();
      return reloader.log();
    }
  }

  private void assertInForce(Service service, Content next, Content old, String label)
      throws Exception {
    assertThat(names(service)).as(label).isEqualTo(next.policies);
    assertThat(service.engine().policies().rls().domains().keySet()).containsExactly(next.domain);
    String policy = next.policies.iterator().next();
    assertThat(ask(service, policy, next.shop)).as(label).isEqualTo(200);
    assertThat(ask(service, policy, next.billing)).as(label).isEqualTo(200);
    assertThat(ask(service, policy, old.shop)).as(label).isEqualTo(401);
    assertThat(ask(service, policy, "")).as(label).isEqualTo(401);
  }

  /**
   * Writes the file in one of the ways of editors and scripts.
   *
   * @return how often there was a pause, and a look in it
   */
  private int write(String text, Runnable pause) throws IOException {
    switch (random.nextInt(4)) {
      case 0 -> Files.delete(file);
      case 1 -> { // written elsewhere and renamed: there is no pause in the middle
        Path next = Files.writeString(folder.resolve("next"), text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        return 0;
      }
      default -> Files.writeString(file, "");
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int pauses = 0;
    int from = 0;
    while (from < bytes.length) {
      if (random.nextInt(4) > 0) {
        pause.run();
        pauses++;
      }
      int to = Math.min(bytes.length, from + 1 + random.nextInt(80));
      try (OutputStream out =
          Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
        out.write(bytes, from, to - from);
      }
      from = to;
    }
    return pauses;
  }

  private static Set<String> names(Service service) {
    return service.engine().policies().all().stream()
        .map(Policy::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The status of a decision that is asked for with this token, or without one. */
  private int ask(Service service, String policy, String token)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.httpPort() + "/v1/peek"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"policy\":\"" + policy + "\",\"key\":\"a\"}"));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return client.send(request.build(), BodyHandlers.discarding()).statusCode();
  }
}
