package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.algorithm.Operation;
import dev.stint.lab.RedisCluster;
import dev.stint.lab.RedisServer;
import dev.stint.memory.MemoryStore;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call over several slots of a cluster, one of whose servers freezes for a while. */
@Tag("cluster")
@ExtendWith(QuietLettuce.class)
class LateLegTest {

  private static final Limit LIMIT = Limit.fixedWindowPerKey(5, Duration.ofDays(1));
  private static final Limit ONE = Limit.fixedWindowPerKey(1, Duration.ofDays(1)).named("one");
  private static final PlaceNames NAMES = new PlaceNames("stint:");
  private static final Duration SOON = Duration.ofSeconds(15);
  private static final Duration DEADLINE = Duration.ofMillis(200);

  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        RedisCluster.start(
            settings -> settings.requireFullCoverage(false).nodeTimeout(Duration.ofSeconds(30)));
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static byte[] place(String key) {
    return NAMES.of(LIMIT.on(key), Terms.of(LIMIT).name());
  }

  private static RedisServer server(String key) {
    return cluster.masterOf(new String(place(key), StandardCharsets.UTF_8));
  }

  /** Two keys on two servers, the one in the lower slot first. */
  private static String[] twoKeys(String name) {
    String first = name + "-0";
    for (int i = 1; ; i++) {
      String other = name + "-" + i;
      if (server(other).port() != server(first).port()) {
        boolean inOrder = SlotHash.getSlot(place(first)) < SlotHash.getSlot(place(other));
        return inOrder ? new String[] {first, other} : new String[] {other, first};
      }
    }
  }

  private static void await(RateLimiter limiter, String... keys) {
    for (String key : keys) {
      Eventually.within(SOON, "an exact decision", () -> !limiter.peek(LIMIT.on(key)).degraded());
    }
  }

  /** One way to ask for a hit; the future fails if the caller is not answered as it should be. */
  private interface Caller {
    CompletableFuture<?> hit(Store redis, KeyedLimit... limits);
  }

  private static final List<Caller> ADMITTED =
      List.of(
          (redis, limits) -> blocking(() -> admitted(RateLimiter.of(redis).hit(limits))),
          (redis, limits) -> blocking(() -> admitted(RateLimiter.of(redis).acquire(SOON, limits))),
          (redis, limits) ->
              blocking(() -> admitted(RateLimiter.of(redis.orElse(Store.admitting())).hit(limits))),
          (redis, limits) ->
              blocking(
                  () -> admitted(RateLimiter.of(redis.orElse(MemoryStore.create())).hit(limits))));

  private static final List<Caller> ADMITTED_ASYNC =
      List.of(
          (redis, limits) -> async(RateLimiter.of(redis).hitAsync(limits), LateLegTest::admitted),
          (redis, limits) ->
              async(RateLimiter.of(redis).acquireAsync(SOON, limits), LateLegTest::admitted),
          (redis, limits) ->
              async(
                  RateLimiter.of(redis.orElse(Store.admitting())).hitAsync(limits),
                  LateLegTest::admitted),
          (redis, limits) ->
              async(
                  RateLimiter.of(redis.orElse(MemoryStore.create())).hitAsync(limits),
                  LateLegTest::admitted));

  private static final List<Caller> REFUSED =
      List.of(
          (redis, limits) ->
              blocking(() -> refused(RateLimiter.of(redis.orElse(Store.denying())).hit(limits))),
          (redis, limits) ->
              async(
                  RateLimiter.of(redis.orElse(Store.denying())).hitAsync(limits),
                  LateLegTest::refused));

  /** They call the store itself and see an exception. */
  private static final List<Caller> UNANSWERED =
      List.of(
          (redis, limits) ->
              blocking(
                  () ->
                      assertThatThrownBy(() -> redis.run(Operation.HIT, List.of(limits)))
                          .isInstanceOf(StoreException.class)),
          (redis, limits) ->
              redis
                  .runAsync(Operation.HIT, List.of(limits))
                  .handle(
                      (answer, failure) -> assertThat(failure).isInstanceOf(StoreException.class))
                  .toCompletableFuture());

  private static void admitted(Decision decision) {
    assertThat(decision.degraded()).isTrue();
    assertThat(decision.allowed()).isTrue();
  }

  private static void refused(Decision decision) {
    assertThat(decision.degraded()).isTrue();
    assertThat(decision.allowed()).isFalse();
  }

  private static CompletableFuture<?> blocking(ThrowingCallable call) {
    return CompletableFuture.runAsync(
        () -> assertThatCode(call).doesNotThrowAnyException(), task -> new Thread(task).start());
  }

  private static CompletableFuture<?> async(
      CompletionStage<Decision> answer, Consumer<Decision> check) {
    return answer.thenAccept(check).toCompletableFuture();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void that_answers_after_the_deadline_stays_charged_if_the_caller_was_admitted(int frozen) {
    // The second leg is sent when the first has been answered; by then it is too late.
    long[] expected = frozen == 0 ? new long[] {2, 1} : new long[] {2, 2};
    hitLate("admitted", frozen, ADMITTED, expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void that_answers_after_the_deadline_stays_charged_if_a_future_admitted_the_caller(int frozen) {
    long[] expected = frozen == 0 ? new long[] {2, 1} : new long[] {2, 2};
    hitLate("admittedAsync", frozen, ADMITTED_ASYNC, expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void that_answers_after_the_deadline_charges_nothing_if_the_caller_was_refused(int frozen) {
    hitLate("refused", frozen, REFUSED, new long[] {1, 1});
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void that_answers_after_the_deadline_charges_nothing_if_no_answer_was_given(int frozen) {
    hitLate("unanswered", frozen, UNANSWERED, new long[] {1, 1});
  }

  /**
   * Has callers hit two keys each while the server of one of the keys is frozen.
   *
   * @param expected what is charged to the two keys in the end, of which one was there before
   */
  private static void hitLate(String name, int frozen, List<Caller> callers, long[] expected) {
    List<String[]> pairs = new ArrayList<>();
    RedisServer server = server(twoKeys(name)[frozen]);
    for (int i = 0; pairs.size() < callers.size(); i++) {
      String[] keys = twoKeys(name + i);
      if (server(keys[frozen]).port() == server.port()) {
        pairs.add(keys);
      }
    }
    try (RedisStore direct = Servers.patient(cluster.uri());
        RedisStore store = RedisStore.builder(cluster.uri()).deadline(DEADLINE).build()) {
      RateLimiter counts = RateLimiter.of(direct);
      for (String[] keys : pairs) {
        await(RateLimiter.of(store), keys);
        counts.reset(LIMIT.on(keys[0]), LIMIT.on(keys[1]));
        // The servers know the scripts from here on.
        RateLimiter.of(store).hit(LIMIT.on(keys[0]), LIMIT.on(keys[1]));
        assertThat(counts.get(LIMIT.on(keys[0]))).isEqualTo(1);
      }
      List<CompletableFuture<?>> answers = new ArrayList<>();
      server.stop();
      try {
        for (int i = 0; i < callers.size(); i++) {
          String[] keys = pairs.get(i);
          answers.add(callers.get(i).hit(store, LIMIT.on(keys[0]), LIMIT.on(keys[1])));
        }
        for (CompletableFuture<?> answer : answers) {
          answer.orTimeout(20, TimeUnit.SECONDS).join();
        }
        Eventually.pass(DEADLINE.multipliedBy(2)); // late by any measure
      } finally {
        server.cont();
      }
      Eventually.pass(CommandDispatcher.late(DEADLINE)); // nothing is given back after that
      for (int i = 0; i < callers.size(); i++) {
        String[] keys = pairs.get(i);
        String caller = "caller " + i;
        Eventually.within(
            SOON,
            () -> "what is charged on behalf of " + caller,
            () ->
                counts.get(LIMIT.on(keys[0])) == expected[0]
                    && counts.get(LIMIT.on(keys[1])) == expected[1]);
      }
    }
  }

  @Test
  void whose_refusal_is_late_forgets_it_when_the_key_is_reset_meanwhile() {
    String[] keys = twoKeys("forget");
    RedisServer server = server(keys[0]);
    try (RedisStore store =
        Servers.patientBuilder(cluster.uri()).rememberRefusals(Duration.ofMillis(100)).build()) {
      RateLimiter limiter = RateLimiter.of(store);
      for (int i = 0; i < 20; i++) {
        limiter.reset(LIMIT.on(keys[0]), LIMIT.on(keys[1]));
        limiter.hit(LIMIT.on(keys[0]).cost(5));
        server.stop();
        CompletableFuture<Decision> refused =
            limiter.hitAsync(LIMIT.on(keys[0])).toCompletableFuture();
        CompletableFuture<Void> reset =
            limiter.resetAsync(LIMIT.on(keys[0]), LIMIT.on(keys[1])).toCompletableFuture();
        server.cont();
        assertThat(refused.orTimeout(20, TimeUnit.SECONDS).join().allowed()).isFalse();
        reset.orTimeout(20, TimeUnit.SECONDS).join();
        assertThat(limiter.hit(LIMIT.on(keys[0])).allowed()).isTrue();
      }
    }
  }

  @Test
  void that_refuses_has_others_refusals_forgotten_with_the_charge_that_caused_them() {
    String[] keys = twoKeys("undone");
    RedisServer second = server(keys[1]);
    try (RedisStore store =
        Servers.patientBuilder(cluster.uri()).rememberRefusals(Duration.ofMillis(100)).build()) {
      RateLimiter limiter = RateLimiter.of(store);
      for (int i = 0; i < 20; i++) {
        limiter.reset(ONE.on(keys[0]));
        limiter.hit(ONE.on(keys[1]));
        second.stop();
        CompletableFuture<Decision> joint =
            limiter.hitAsync(ONE.on(keys[0]), ONE.on(keys[1])).toCompletableFuture();
        Eventually.within(SOON, "the first charge", () -> !limiter.hit(ONE.on(keys[0])).allowed());
        second.cont();
        assertThat(joint.orTimeout(20, TimeUnit.SECONDS).join().allowed()).isFalse();
        assertThat(limiter.hit(ONE.on(keys[0])).allowed()).isTrue();
      }
    }
  }
}
