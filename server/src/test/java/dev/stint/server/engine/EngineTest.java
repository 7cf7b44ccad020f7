package dev.stint.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.Limit;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import dev.stint.http.HeaderFormat;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.config.PolicySettings;
import dev.stint.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EngineTest {

  private final ManualTime time = ManualTime.create();
  private final Stores stores = Stores.inMemory(time);
  private final List<String> seen = new ArrayList<>();

  @AfterEach
  void close() {
    stores.close();
  }

  private final Watch watch =
      new Watch() {
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
            long ended) {
          seen.add(policy.name() + (allowed ? " yes" : " no"));
        }

        @Override
        public void compared(
            Policy live, boolean liveAllows, Policy candidate, boolean candidateAllows) {
          seen.add(
              live.name() + " " + liveAllows + ", " + candidate.name() + " " + candidateAllows);
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
            long ended) {}
      };

  private Engine engine(Map<String, PolicySettings> policies) {
    return new Engine(Configuration.standard().withPolicies(policies), stores, watch);
  }

  private static PolicySettings policy(
      String limits, Optional<String> candidate, PolicySettings.Override... overrides) {
    return new PolicySettings(
        Limit.parseAll(limits),
        false,
        false,
        OnStoreError.LOCAL,
        HeaderFormat.IETF,
        List.of(overrides),
        candidate);
  }

  private static PolicySettings.Override exact(String key, String limits) {
    return new PolicySettings.Override(key, false, Limit.parseAll(limits));
  }

  private static PolicySettings.Override prefix(String start, String limits) {
    return new PolicySettings.Override(start, true, Limit.parseAll(limits));
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  private static Decision hit(Engine engine, String policy, String key) {
    Policy found = Objects.requireNonNull(engine.policies().find(policy));
    return engine.ask(Operation.HIT, found, bytes(key), 1);
  }

  @Test
  void decides_several_limits_of_a_policy_all_or_nothing() {
    Engine engine = engine(Map.of("api", policy("2/second; 3/day", Optional.empty())));
    assertThat(hit(engine, "api", "a").allowed()).isTrue();
    assertThat(hit(engine, "api", "a").allowed()).isTrue();
    assertThat(hit(engine, "api", "a").allowed()).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertThat(hit(engine, "api", "a").allowed()).isTrue();
    assertThat(hit(engine, "api", "a").allowed()).isFalse();
    assertThat(hit(engine, "api", "b").allowed()).isTrue();
  }

  @Test
  void an_exact_override_wins_over_prefixes_and_a_longer_prefix_over_a_shorter_one() {
    Engine engine =
        engine(
            Map.of(
                "api",
                policy(
                    "9/day",
                    Optional.empty(),
                    prefix("free:", "2/day"),
                    prefix("free:trial:", "1/day"),
                    exact("free:alice", "5/day"))));
    assertThat(hit(engine, "api", "bob").amount()).isEqualTo(9);
    assertThat(hit(engine, "api", "free:bob").amount()).isEqualTo(2);
    assertThat(hit(engine, "api", "free:trial:bob").amount()).isEqualTo(1);
    assertThat(hit(engine, "api", "free:alice").amount()).isEqualTo(5);
    assertThat(hit(engine, "api", "free:alice2").amount()).isEqualTo(2);
    assertThat(hit(engine, "api", "free").amount()).isEqualTo(9);
  }

  @Test
  void policies_count_apart_also_where_their_limits_are_the_same() {
    Engine engine =
        engine(
            Map.of("a", policy("1/day", Optional.empty()), "b", policy("1/day", Optional.empty())));
    assertThat(hit(engine, "a", "x").allowed()).isTrue();
    assertThat(hit(engine, "b", "x").allowed()).isTrue();
    assertThat(hit(engine, "a", "x").allowed()).isFalse();
  }

  @Test
  void a_candidate_sees_also_what_the_live_policy_refuses_and_never_refuses_itself() {
    Map<String, PolicySettings> policies = new LinkedHashMap<>();
    policies.put("live", policy("1/day", Optional.of("next")));
    policies.put("next", policy("2/day", Optional.empty()));
    Engine engine = engine(policies);
    for (int i = 0; i < 3; i++) {
      hit(engine, "live", "x");
    }
    assertThat(seen)
        .containsExactly(
            "live yes",
            "live true, next true",
            "live no",
            "live false, next true",
            "live no",
            "live false, next false");
  }

  @Test
  void a_peek_is_not_tried_on_the_candidate() {
    Map<String, PolicySettings> policies = new LinkedHashMap<>();
    policies.put("live", policy("1/day", Optional.of("next")));
    policies.put("next", policy("2/day", Optional.empty()));
    Engine engine = engine(policies);
    Policy live = Objects.requireNonNull(engine.policies().find("live"));
    engine.ask(Operation.PEEK, live, bytes("x"), 1);
    assertThat(seen).containsExactly("live yes");
  }

  @Test
  void a_reload_keeps_the_counts_and_takes_the_new_amount() {
    Engine engine = engine(Map.of("api", policy("5/day fixed-window", Optional.empty())));
    for (int i = 0; i < 4; i++) {
      hit(engine, "api", "x");
    }
    engine.reload(
        Configuration.standard()
            .withPolicies(Map.of("api", policy("6/day fixed-window", Optional.empty()))));
    assertThat(hit(engine, "api", "x").remaining()).isEqualTo(1);
  }

  @Test
  void hashed_keys_are_as_good_as_plain_ones() {
    PolicySettings hashing =
        new PolicySettings(
            Limit.parseAll("1/day"),
            true,
            false,
            OnStoreError.LOCAL,
            HeaderFormat.IETF,
            List.of(exact("vip", "2/day")),
            Optional.empty());
    Engine engine = engine(Map.of("api", hashing));
    assertThat(hit(engine, "api", "x").allowed()).isTrue();
    assertThat(hit(engine, "api", "x").allowed()).isFalse();
    assertThat(hit(engine, "api", "y").allowed()).isTrue();
    assertThat(hit(engine, "api", "vip").remaining()).isEqualTo(1);
  }

  @Test
  void limits_that_come_with_a_request_share_no_count_with_a_policy() {
    Engine engine = engine(Map.of("api", policy("1/day", Optional.empty())));
    Policy given = engine.policies().ofRequest("1/day");
    assertThat(engine.ask(Operation.HIT, given, bytes("x"), 1).allowed()).isTrue();
    assertThat(hit(engine, "api", "x").allowed()).isTrue();
    assertThat(
            engine
                .ask(Operation.HIT, engine.policies().ofRequest("1/day"), bytes("x"), 1)
                .allowed())
        .isFalse();
  }

  @Test
  void tells_what_is_in_use_after_every_operation() {
    Engine engine = engine(Map.of("api", policy("10/day fixed-window", Optional.empty())));
    Policy api = Objects.requireNonNull(engine.policies().find("api"));
    assertThat(told(engine, Operation.INC, api, 12).used()).isEqualTo(12);
    assertThat(told(engine, Operation.REFUND, api, 3).used()).isEqualTo(9);
    assertThat(told(engine, Operation.SET, api, 4).used()).isEqualTo(4);
    assertThat(told(engine, Operation.SET, api, 0).used()).isZero();
    assertThat(told(engine, Operation.INC, api, 1).used()).isEqualTo(1);
    assertThat(told(engine, Operation.GET, api, 1).used()).isEqualTo(1);
    assertThat(told(engine, Operation.RESET, api, 1).used()).isZero();
  }

  private static Decision told(Engine engine, Operation operation, Policy policy, long n) {
    return engine.tell(operation, policy, bytes("x"), n).toCompletableFuture().join();
  }

  @Test
  void a_blocked_key_is_refused_without_objects_until_the_end_and_not_counted() {
    try (Engine engine = engine(Map.of("api", policy("2/minute", Optional.empty())))) {
      Policy api = Objects.requireNonNull(engine.policies().find("api"));
      byte[] key = "alice".getBytes(StandardCharsets.UTF_8);
      engine.exceptions().put("api", key, Exceptions.Kind.BLOCK, Duration.ofSeconds(10));
      Outcome told = new Outcome();
      engine.ask(Operation.HIT, api, null, Key.of(key), 1, told, new State());
      assertThat(told.allowed).isFalse();
      assertThat(told.wait).isEqualTo(10_000_000);
      time.advance(Duration.ofSeconds(10));
      engine.ask(Operation.HIT, api, null, Key.of(key), 1, told, new State());
      assertThat(told.allowed).isTrue();
      assertThat(told.remaining).isEqualTo(1);
      assertThat(seen).containsExactly("api no", "api yes");
    }
  }

  @Test
  void a_granted_key_passes_on_the_short_way_too() {
    try (Engine engine = engine(Map.of("api", policy("1/minute", Optional.empty())))) {
      Policy api = Objects.requireNonNull(engine.policies().find("api"));
      byte[] key = "alice".getBytes(StandardCharsets.UTF_8);
      engine.exceptions().put("api", key, Exceptions.Kind.GRANT, Duration.ofSeconds(10));
      Outcome told = new Outcome();
      for (int i = 0; i < 3; i++) {
        engine.ask(Operation.HIT, api, null, Key.of(key), 1, told, new State());
        assertThat(told.allowed).isTrue();
      }
      assertThat(told.remaining).isZero();
    }
  }

  @Test
  void there_are_ten_thousand_exceptions_at_most_and_those_that_ended_make_room() {
    try (Engine engine = engine(Map.of("api", policy("1/minute", Optional.empty())))) {
      Exceptions exceptions = engine.exceptions();
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < Exceptions.MOST; i++) {
        keys.add(("key" + i).getBytes(StandardCharsets.UTF_8));
      }
      Duration minute = Duration.ofMinutes(1);
      keys.forEach(key -> exceptions.put("api", key, Exceptions.Kind.BLOCK, minute));
      byte[] another = {1};
      assertThatThrownBy(() -> exceptions.put("api", another, Exceptions.Kind.BLOCK, minute))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("at most 10000");
      exceptions.put("api", keys.get(7), Exceptions.Kind.GRANT, minute); // in place of the other
      assertThat(exceptions.count(Exceptions.Kind.GRANT)).isEqualTo(1);
      time.advance(minute);
      assertThat(exceptions.all()).isEmpty();
      exceptions.put("api", another, Exceptions.Kind.BLOCK, minute);
      assertThat(exceptions.all()).hasSize(1);
    }
  }
}
