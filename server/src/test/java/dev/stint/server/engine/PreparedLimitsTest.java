package dev.stint.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Key;
import dev.stint.Limit;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Reading;
import dev.stint.testkit.ManualTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which limits are counted in the rows of policies, and which in those set aside for requests. */
class PreparedLimitsTest {

  @TempDir private Path folder;

  private final Stores stores = Stores.inMemory(ManualTime.create());
  private final MemoryStore memory = stores.memory();

  @AfterEach
  void close() {
    stores.close();
  }

  private Configuration read(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve(ConfigFile.NAME), yaml);
    Reading reading = ConfigFile.read(file, Map.of());
    assertThat(reading.mistakes()).isEmpty();
    return reading.configuration();
  }

  private Engine engine(Configuration configuration) {
    return new Engine(configuration, stores, Watch.NOBODY);
  }

  private static void hit(Engine engine, String policy, String key) {
    hit(engine, engine.policies().find(policy), key);
  }

  private static void hit(Engine engine, Policy policy, String key) {
    assertThat(policy).isNotNull();
    engine.ask(Operation.HIT, policy, key.getBytes(StandardCharsets.UTF_8), 1);
  }

  private void assertKeys(int ofPolicies, int ofRequests) {
    assertThat(memory.keys() - memory.callKeys()).as("keys of policies").isEqualTo(ofPolicies);
    assertThat(memory.callKeys()).as("keys of requests").isEqualTo(ofRequests);
  }

  @Test
  void the_default_policy_is_prepared_without_a_configuration() {
    hit(engine(Configuration.standard()), "default", "alice");
    assertKeys(1, 0);
  }

  @Test
  void all_limits_of_a_policy_its_overrides_and_its_candidate_are_prepared() throws IOException {
    Engine engine =
        engine(
            read(
                """
                policies:
                  api:
                    limits: [10/minute, 100/day named second]
                    candidate: tried
                    overrides:
                      - {key: bob, limits: 7/hour}
                      - {prefix: "free:", limits: 7/hour sliding-log named free}
                  tried: 5/minute
                """));
    hit(engine, "api", "alice");
    assertKeys(3, 0);
    hit(engine, "api", "bob");
    hit(engine, "api", "free:eve");
    assertKeys(7, 0);
  }

  @Test
  void the_rate_limiter_block_is_prepared() throws IOException {
    hit(
        engine(
            read("rate-limiter: {use-algo: fixed-window-algo, window-size: 60, max-requests: 5}")),
        "default",
        "alice");
    assertKeys(1, 0);
  }

  @Test
  void rules_of_all_domains_are_prepared_each_in_a_keyspace_of_its_own() throws IOException {
    Engine engine =
        engine(
            read(
                """
                rls:
                  domains:
                    - domain: web
                      descriptors:
                        - key: user
                          rate_limit: {unit: day, requests_per_unit: 5}
                          descriptors:
                            - {key: path, rate_limit: {unit: day, requests_per_unit: 3}}
                        - {key: free, rate_limit: {unlimited: true}}
                        - {key: closed, rate_limit: {unit: day, requests_per_unit: 0}}
                    - domain: shop
                      descriptors:
                        - {key: user, rate_limit: {unit: day, requests_per_unit: 5}}
                """));
    assertThat(engine.policies().domains().limits())
        .hasSize(3)
        .allSatisfy(limit -> assertThat(limit.name()).startsWith("_rls."))
        .extracting(Limit::name)
        .doesNotHaveDuplicates();
    int keys = 0;
    for (Limit limit : engine.policies().domains().limits()) {
      memory.run(Operation.HIT, limit, Key.of("alice"), 1);
      assertKeys(++keys, 0);
    }
  }

  @Test
  void limits_of_requests_are_not_prepared_however_often_they_come() {
    Engine engine = engine(Configuration.standard());
    for (int i = 0; i < 3; i++) {
      hit(engine, engine.policies().ofRequest("5/minute; 100/day named mine"), "alice");
      assertKeys(0, 2);
    }
    hit(engine, engine.policies().throttle(), "alice");
    assertKeys(0, 3);
  }

  @Test
  void what_is_counted_here_while_redis_is_away_is_prepared_too() throws Exception {
    Configuration configuration =
        read(
            """
            store: {url: "redis://127.0.0.1:1", instances: 2}
            policies: {api: 10/minute}
            """);
    Stores away = Stores.open(configuration.store(), Duration.ofMillis(10));
    try (Engine engine = new Engine(configuration, away, Watch.NOBODY)) {
      Policy api = engine.policies().find("api");
      assertThat(engine.ask(Operation.HIT, api, new byte[] {1}, 1).degraded()).isTrue();
      engine
          .askAsync(Operation.HIT, engine.policies().ofRequest("5/minute"), new byte[] {1}, 1)
          .toCompletableFuture()
          .get(10, TimeUnit.SECONDS);
      assertThat(away.memory().keys()).isEqualTo(2);
      assertThat(away.memory().callKeys()).isEqualTo(1);
    }
  }

  @Test
  void a_reload_prepares_what_is_new() throws IOException {
    Engine engine = engine(read("policies: {api: 10/minute}"));
    engine.reload(read("policies: {api: 20/minute, other: 1/hour}"));
    hit(engine, "api", "alice");
    hit(engine, "other", "alice");
    assertKeys(2, 0);
  }
}
