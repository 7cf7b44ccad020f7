package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stint.Decision;
import dev.stint.Limit.Kind;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import dev.stint.server.config.Configuration;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Policy;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.server.serve.Service;
import dev.stint.testkit.ManualTime;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * However many keys one client, policy or rule fills the memory of the service with, a new key of
 * another policy or rule is refused for want of memory only through its own limit's cells.
 *
 * <p>{@code -Dstint.starvation.keys=n} says how many keys fill the memory.
 */
class StarvationTest {

  private static final int FILLING_KEYS = Integer.getInteger("stint.starvation.keys", 120_000);
  private static final int NEW_KEYS = 10_000;
  private static final int BATCH = 1_000;
  private static final int CELLS = 4_096;

  /** Far more than the fullest cell has keys. */
  private static final int AMPLE = 100;

  /** Less than many cells have keys, so that some must be refused. */
  private static final int SCARCE = 3;

  /** The longest window that is accepted. What it counts does not expire. */
  private static final int DAYS = 50 * 365;

  private static final long SECONDS = DAYS * 86_400L;

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  /** How limits come with a request. */
  enum Source {
    HTTP,
    THROTTLE,
    OVERRIDE
  }

  /** A service with a client on every wire, which counts what it can see of refusals only here. */
  private static final class Running implements Watch, AutoCloseable {

    final AtomicInteger refusedByCandidate = new AtomicInteger();
    final AtomicInteger refusedByRules = new AtomicInteger();
    final AtomicInteger refusedUnmarked = new AtomicInteger();
    final Service service;
    final MemoryStore memory;
    final Http http;
    final Rls rls;

    Running(Configuration configuration) throws IOException {
      Stores stores = Stores.inMemory(configuration.store(), ManualTime.create());
      memory = stores.memory();
      service = Service.start(configuration, new Engine(configuration, stores, this));
      http = Http.connect(service.httpPort());
      rls = Rls.connect(service.grpcPort());
    }

    @Override
    public void decided(
        Policy policy,
        byte[] key,
        Operation operation,
        long units,
        boolean allowed,
        boolean degraded,
        long remaining,
        long capacity,
        long began,
        long ended) {}

    @Override
    public void compared(
        Policy live, boolean liveAllows, Policy candidate, boolean candidateAllows) {
      refusedByCandidate.addAndGet(candidateAllows ? 0 : 1);
    }

    @Override
    public void decided(
        String domain,
        String path,
        String rule,
        boolean shadow,
        Operation operation,
        long units,
        Decision decision,
        long began,
        long ended) {
      if (!decision.allowed() && !rule.equals("_override")) {
        refusedByRules.incrementAndGet();
        refusedUnmarked.addAndGet(decision.shared() ? 0 : 1);
      }
    }

    @Override
    public void close() throws IOException {
      http.close();
      rls.close();
      service.close();
    }

    /** Sends a check for each number in batches, and counts the refusals. */
    int refused(int count, IntFunction<String> check) throws IOException {
      int refused = 0;
      for (int from = 0; from < count; from += BATCH) {
        String checks =
            IntStream.range(from, Math.min(count, from + BATCH))
                .mapToObj(check)
                .collect(Collectors.joining(","));
        String body = http.post("/v1/batch", "{\"checks\":[" + checks + "]}").body();
        JsonNode results = JSON.readTree(body).path("results");
        assertThat(results).hasSize(Math.min(count - from, BATCH));
        for (JsonNode result : results) {
          int status = result.path("status").asInt();
          assertThat(status).isIn(200, 429);
          refused += status == 429 ? 1 : 0;
          boolean isMarked = result.path("shared").asBoolean();
          refusedUnmarked.addAndGet(status == 429 && !isMarked ? 1 : 0);
        }
      }
      return refused;
    }

    /** Sends a request of its own for each new key of a rule, and counts the refusals. */
    int refusedByRule(String rule) throws IOException {
      int before = refusedByRules.get();
      for (int from = 0; from < NEW_KEYS; from += 100) {
        for (int i = from; i < from + 100; i++) {
          http.sendPost(
              "/json",
              "{\"domain\":\"web\",\"descriptors\":[{\"entries\":[{\"key\":\"%s\",\"value\":\"new:%d\"}]}]}"
                  .formatted(rule, i));
        }
        for (int i = from; i < from + 100; i++) {
          assertThat(http.read().status()).isIn(200, 429);
        }
      }
      return refusedByRules.get() - before;
    }
  }

  private Running start(String yaml) throws IOException {
    // One connection fills the store while the other waits, for minutes at the large sizes.
    String process =
        """
        listeners: {http: "127.0.0.1:0", grpc: "127.0.0.1:0", resp: "127.0.0.1:0", admin: off}
        bounds: {idle: 1h}
        """;
    return new Running(Setup.read(folder, process + yaml));
  }

  // ---- Limits in requests ----

  /** Every limit admits a key once, so that two keys that shared anything would show. */
  private static String onceForEachKey(int maxKeys) {
    return """
    store: {max-keys: %d}
    policies:
      default: {limits: 1 per %<2d days, candidate: tried}
      tried: {limits: 1 per %<2d days}
      several: {limits: [1 per %<2d days fixed-window, 2 per %<2d days sliding-counter]}
      log:
        limits: 1 per %<2d days sliding-log
        overrides: [{prefix: "new:1", limits: 1 per %<2d days leaky-bucket}]
    rls:
      domains:
        - domain: web
          descriptors:
            - key: user
              rate_limit: {unit: year, requests_per_unit: 1}
            - key: bucket
              rate_limit: {unit: year, requests_per_unit: 1, algorithm: token-bucket}
    """
        .replace("%<2d", Integer.toString(DAYS))
        .formatted(maxKeys);
  }

  @ParameterizedTest
  @EnumSource
  void limits_that_come_with_requests_do_not_starve_policies(Source source) throws IOException {
    int maxKeys = FILLING_KEYS / 12 * 10; // fewer than the keys that fill it
    try (Running running = start(onceForEachKey(maxKeys))) {
      fill(running, source);
      assertThat(running.memory.callKeys())
          .as("rows in use by limits of requests")
          .isEqualTo(maxKeys / 10);

      int refused = 0;
      for (String policy : List.of("default", "several", "log")) {
        refused += running.refused(NEW_KEYS, i -> check(policy, i));
      }
      for (String rule : List.of("user", "bucket")) {
        refused += running.refusedByRule(rule);
      }
      refused += running.refusedByCandidate.get();
      System.out.printf(
          "Starvation: %,d keys of limits in requests (%s) with max-keys %,d; then of %,d new keys"
              + " of each of 6 policies and rules %,d refused%n",
          FILLING_KEYS, source, maxKeys, NEW_KEYS, refused);
      assertThat(refused).as("new keys refused").isZero();
      assertThat(running.memory.keys() - running.memory.callKeys())
          .as("rows in use by policies")
          .isEqualTo(7 * NEW_KEYS);
    }
  }

  private static String check(String policy, int i) {
    return "{\"policy\":\"%s\",\"key\":\"new:%d\"}".formatted(policy, i);
  }

  private static void fill(Running running, Source source) throws IOException {
    switch (source) {
      case HTTP -> running.refused(FILLING_KEYS, StarvationTest::checkWithLimit);
      case THROTTLE -> throttle(running.service.respPort());
      case OVERRIDE -> override(running.rls);
    }
  }

  /** Limits of every kind, under many names, so that they use up whatever there is. */
  private static String checkWithLimit(int i) {
    List<Kind> kinds = kinds();
    return "{\"limits\":\"1 per %d days %s named f%d\",\"key\":\"filling:%d\"}"
        .formatted(DAYS, kinds.get(i % kinds.size()).word(), i % 64, i);
  }

  private static List<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
    kinds.remove(Kind.QUOTA);
    return kinds;
  }

  private static void throttle(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
      socket.setSoTimeout(20_000);
      for (int from = 0; from < FILLING_KEYS; from += BATCH) {
        String commands =
            IntStream.range(from, from + BATCH)
                .mapToObj(i -> "CL.THROTTLE filling:%d 0 1 %d\r\n".formatted(i, SECONDS - i % 64))
                .collect(Collectors.joining());
        socket.getOutputStream().write(commands.getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < BATCH; i++) {
          assertThat(in.readLine()).isEqualTo("*5");
          for (int j = 0; j < 5; j++) {
            in.readLine();
          }
        }
      }
    }
  }

  private static void override(Rls rls) {
    RateLimitOverride limit =
        RateLimitOverride.newBuilder()
            .setRequestsPerUnit(1_000_000)
            .setUnit(RateLimitUnit.YEAR)
            .build();
    for (int from = 0; from < FILLING_KEYS; from += BATCH) {
      RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("web");
      for (int i = from; i < from + BATCH; i++) {
        request.addDescriptors(descriptor("user", "filling:" + i).setLimit(limit));
      }
      rls.ask(request.build());
    }
  }

  private static RateLimitDescriptor.Builder descriptor(String key, String value) {
    return RateLimitDescriptor.newBuilder()
        .addEntries(Entry.newBuilder().setKey(key).setValue(value));
  }

  // ---- One policy, or one rule ----

  /** The policies and rules that are filled and those that are asked afterwards. */
  private static String manyPolicies() {
    StringBuilder yaml = new StringBuilder("store: {max-keys: 1000}\npolicies:\n");
    yaml.append("  filling: 1000000 per %d days fixed-window\n".formatted(DAYS));
    for (Kind kind : kinds()) {
      for (int amount : new int[] {AMPLE, SCARCE}) {
        yaml.append(
            "  %s-%d: %d per %d days %s\n"
                .formatted(kind.word(), amount, amount, DAYS, kind.word()));
      }
    }
    return yaml.append("rls:\n  domains:\n    - domain: web\n      descriptors:\n")
        .append(rule("filling", 1_000_000))
        .append(rule("ample", AMPLE))
        .append(rule("scarce", SCARCE))
        .toString();
  }

  private static String rule(String key, int amount) {
    return "        - {key: %s, rate_limit: {unit: year, requests_per_unit: %d}}\n"
        .formatted(key, amount);
  }

  @Test
  void one_policy_does_not_starve_others() throws IOException {
    try (Running running = start(manyPolicies())) {
      running.refused(
          FILLING_KEYS, i -> "{\"policy\":\"filling\",\"key\":\"filling:%d\"}".formatted(i));
      checkOthers("one policy", running);
    }
  }

  @Test
  void one_rule_of_envoys_service_does_not_starve_others() throws IOException {
    try (Running running = start(manyPolicies())) {
      for (int from = 0; from < FILLING_KEYS; from += BATCH) {
        RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("web");
        for (int i = from; i < from + BATCH; i++) {
          request.addDescriptors(descriptor("filling", "filling:" + i));
        }
        running.rls.ask(request.build());
      }
      checkOthers("one rule", running);
    }
  }

  private static void checkOthers(String filler, Running running) throws IOException {
    assertThat(running.memory.keys()).as("rows in use").isEqualTo(1_000);
    int mostAmple = running.refusedByRule("ample");
    int mostScarce = running.refusedByRule("scarce");
    for (Kind kind : kinds()) {
      mostAmple = Math.max(mostAmple, running.refused(NEW_KEYS, i -> check(kind, AMPLE, i)));
      mostScarce = Math.max(mostScarce, running.refused(NEW_KEYS, i -> check(kind, SCARCE, i)));
    }
    int explained = explainedByCells(SCARCE);
    System.out.printf(
        "Starvation: %,d keys of %s with max-keys 1,000; then of %,d new keys of each of %d others"
            + " at most %,d refused at %d a cell (0 explained), %,d at %d a cell (%,d explained)%n",
        FILLING_KEYS,
        filler,
        NEW_KEYS,
        2 * kinds().size() + 2,
        mostAmple,
        AMPLE,
        mostScarce,
        SCARCE,
        explained);
    assertThat(mostAmple).as("refused at %d a cell", AMPLE).isZero();
    assertThat(mostScarce).as("refused at %d a cell", SCARCE).isBetween(1, explained);
    assertThat(running.refusedUnmarked.get()).as("refusals that do not say shared").isZero();
  }

  private static String check(Kind kind, int amount, int i) {
    return check(kind.word() + "-" + amount, i);
  }

  /**
   * The most refusals that cells explain: of the keys that fall into a cell at random, a Poisson
   * number, those beyond its amount. Eight standard deviations above the mean is never.
   */
  private static int explainedByCells(int amount) {
    double keysInCell = (double) NEW_KEYS / CELLS;
    double probability = Math.exp(-keysInCell);
    double mean = 0;
    double square = 0;
    for (int keys = 0; keys < 100; keys++) {
      double beyond = Math.max(0, keys - amount);
      mean += probability * beyond;
      square += probability * beyond * beyond;
      probability *= keysInCell / (keys + 1);
    }
    return (int) (CELLS * mean + 8 * Math.sqrt(CELLS * (square - mean * mean)));
  }
}
