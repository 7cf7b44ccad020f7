package dev.stint.server.ordeal;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.lab.Resp;
import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Reading;
import dev.stint.server.serve.Reloader;
import dev.stint.server.serve.Service;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The configuration changes a thousand times under load, every other time for the worse, and nobody
 * is the poorer for it.
 */
class ReloadUnderLoadTest {

  private static final int RELOADS = 1000;
  private static final long PAUSE_NANOS = 500_000;
  private static final int KEYS = 10;

  private static final List<String> MISTAKES =
      List.of(
          "polices: {}\n",
          "  broken: {limits: 5/minit}\n",
          "  broken: {limits: [\n",
          "  broken: {}\n",
          "  api: {limits: 1/day}\n");

  @TempDir Path folder;

  private final AtomicLong[] shared = counters();
  private final AtomicLong[] throttled = counters();
  private final AtomicLong[] envoys = counters();

  private static AtomicLong[] counters() {
    AtomicLong[] counters = new AtomicLong[KEYS];
    for (int i = 0; i < KEYS; i++) {
      counters[i] = new AtomicLong();
    }
    return counters;
  }

  private void write(Path file, String text) throws IOException {
    Path next = Files.writeString(folder.resolve("next"), text);
    Files.move(next, file, ATOMIC_MOVE);
  }

  @Test
  void a_thousand_reloads_lose_no_count_and_no_request() throws Exception {
    Path file = folder.resolve("stint.yaml");
    write(file, yaml(0));
    Reading first = ConfigFile.read(file, Map.of());
    assertThat(first.mistakes()).isEmpty();
    try (Journal journal = Journal.open(Level.INFO);
        Service service = Service.start(first.configuration());
        Reloader reloader = new Reloader(first, () -> ConfigFile.read(file, Map.of()), service);
        Tasks load = new Tasks()) {
      reloader.lookNow();
      begin(load, service);
      for (int i = 1; i <= RELOADS; i++) {
        write(file, i % 2 == 0 ? yaml(i) : yaml(i) + MISTAKES.get(i / 2 % MISTAKES.size()));
        reloader.lookNow();
        reloader.lookNow();
      }
      load.end();

      assertThat(load.troubles()).isEmpty();
      assertThat(reloader.log().successes()).isEqualTo(RELOADS / 2);
      assertThat(reloader.log().failures()).isEqualTo(RELOADS / 2);
      assertThat(service.engine().policies().find("other" + RELOADS)).isNotNull();
      assertThat(journal.lines().stream().filter(line -> line.contains("stays in force")))
          .hasSize(RELOADS / 2);
      assertThat(
              journal.lines().stream().filter(line -> line.matches(".*stint\\.yaml:\\d+:\\d+: .*")))
          .as("each mistake with its place")
          .hasSize(RELOADS / 2);
      judge(service);
    }
  }

  /** Always different, and always with the policy and the domain that are asked. */
  private static String yaml(int n) {
    return Setup.WIDE.replace(
            "  strict:", "  other" + n + ": {limits: " + (n + 1) + "/minute}\n  strict:")
        + "clients: everybody\n";
  }

  private void begin(Tasks load, Service service) throws IOException {
    Http http = Http.connect(service.httpPort());
    Resp resp = Resp.connect(service.respPort());
    Resp throttle = Resp.connect(service.respPort());
    Rls rls = Rls.connect(service.grpcPort());
    load.again(
        () -> {
          int key = next(shared);
          assertThat(http.hit("api", "key" + key).status()).isEqualTo(200);
        });
    load.again(
        () -> {
          int key = next(shared);
          assertThat(resp.list("STINT.HIT", "api", "key" + key).get(0)).isEqualTo(1L);
        });
    load.again(
        () -> {
          int key = next(throttled);
          assertThat(throttle(throttle, key, 1).get(0)).isEqualTo(0L);
        });
    load.again(
        () -> {
          int key = next(envoys);
          assertThat(rls.hit("user", "key" + key)).isEqualTo(Code.OK);
        });
  }

  private static List<?> throttle(Resp resp, int key, int quantity) {
    return resp.list("CL.THROTTLE", "key" + key, "9999999", "1", "300", Integer.toString(quantity));
  }

  /** Chooses a key, and counts that it is asked for. */
  private static int next(AtomicLong[] counters) {
    LockSupport.parkNanos(PAUSE_NANOS);
    int key = (int) (System.nanoTime() % KEYS);
    counters[key].incrementAndGet();
    return key;
  }

  private void judge(Service service) throws IOException {
    long sum = 0;
    try (Http http = Http.connect(service.httpPort());
        Resp resp = Resp.connect(service.respPort());
        Rls rls = Rls.connect(service.grpcPort())) {
      for (int key = 0; key < KEYS; key++) {
        String body = "{\"policy\":\"api\",\"key\":\"key" + key + "\"}";
        assertThat(http.post("/v1/peek", body).body())
            .contains("\"used\":" + shared[key].get() + ",");
        assertThat(throttle(resp, key, 0).get(2)).isEqualTo(10_000_000 - throttled[key].get());
        RateLimitRequest.Builder peek = Rls.request("user", "key" + key).toBuilder();
        peek.getDescriptorsBuilder(0).getHitsAddendBuilder().setValue(0);
        RateLimitResponse left = rls.ask(peek.build());
        assertThat(left.getStatuses(0).getLimitRemaining())
            .isEqualTo(1_000_000 - envoys[key].get());
        sum += shared[key].get() + throttled[key].get() + envoys[key].get();
      }
    }
    System.out.println(RELOADS + " reloads, " + sum + " requests");
    assertThat(sum).isGreaterThan(RELOADS);
  }
}
