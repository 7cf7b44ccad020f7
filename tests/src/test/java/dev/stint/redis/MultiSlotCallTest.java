package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.StoreException;
import dev.stint.algorithm.Operation;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A call over two slots, of which one cannot be asked, or no longer. */
@Tag("redis")
class MultiSlotCallTest {

  private static final Limit ONE = Limit.fixedWindowPerKey(1, Duration.ofDays(1));
  private static final PlaceNames NAMES = new PlaceNames("stint:");
  private static final Duration DEADLINE = Duration.ofSeconds(2);
  private static final Duration SOON = Duration.ofSeconds(20);

  private final String key = UUID.randomUUID().toString();
  private final KeyedLimit first = ONE.on(key + "-first");
  private final KeyedLimit second = ONE.on(key + "-second");
  private final TwoSlots link = new TwoSlots();
  private final Timer timer = new Timer();
  private final CommandDispatcher dispatcher =
      new CommandDispatcher(
          link,
          null,
          new Complaints(),
          new Prober(timer, NAMES, new Complaints()),
          timer,
          100,
          DEADLINE);

  @AfterEach
  void close() {
    dispatcher.close();
    timer.close();
    link.close();
  }

  private Decision run(Operation operation, KeyedLimit... limits) {
    Question question = Question.of(operation, List.of(limits), NAMES);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    MultiSlotCall call = new MultiSlotCall(question, link, dispatcher, null, deadline);
    call.start();
    return call.await();
  }

  @Test
  void a_refusal_stands_although_a_later_slot_is_away() {
    run(Operation.HIT, first);
    link.secondIsAway = true;
    Decision decision = run(Operation.HIT, first, second);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.degraded()).isFalse();
    assertThat(decision.limits().get(0).allowed()).isFalse();
    assertThat(decision.limits().get(1).degraded()).isTrue();
    assertThat(decision.charges()).isEmpty();
  }

  @Test
  void who_is_refused_by_nobody_is_not_answered_while_a_slot_is_away() {
    link.secondIsAway = true;
    assertThatThrownBy(() -> run(Operation.HIT, first, second)).isInstanceOf(StoreException.class);
    assertThat(run(Operation.GET, first).used()).isZero();
  }

  @Test
  void nothing_is_written_while_a_slot_is_known_to_be_away() {
    assertThat(run(Operation.HIT, first).allowed()).isTrue();
    run(Operation.RESET, first);
    link.secondIsAway = true;
    long before = writes();
    for (Operation operation : List.of(Operation.HIT, Operation.INC, Operation.SET)) {
      assertThatThrownBy(() -> run(operation, first, second)).isInstanceOf(StoreException.class);
    }
    assertThat(writes()).isEqualTo(before);
  }

  /** How often the server has run SET so far. */
  private static long writes() {
    return Servers.redis()
        .ask("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith("cmdstat_set:calls="))
        .mapToLong(line -> Long.parseLong(line.replaceAll("^[^=]*=(\\d+),.*$", "$1")))
        .sum();
  }

  @Test
  void a_refusal_counts_where_denied_hits_are_counted_although_a_slot_is_away() {
    Limit counting = Limit.fixedWindow(1, Duration.ofDays(1)).named("counting").countingDenied();
    KeyedLimit full = counting.on(key + "-first");
    run(Operation.HIT, full);
    link.secondIsAway = true;
    Decision decision = run(Operation.HIT, full, second);
    assertThat(decision.allowed()).isFalse();
    assertThat(run(Operation.GET, full).used()).isEqualTo(2);
  }

  @Test
  void a_refusal_stands_although_the_charge_before_it_cannot_be_given_back() {
    run(Operation.HIT, second);
    link.firstGoesAwayAfter = 2; // once looked at, and once sent
    Decision decision = run(Operation.HIT, first, second);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.limits().get(0).degraded()).isTrue();
    assertThat(decision.charges()).isEmpty();
  }

  /** A hit that fails when its first leg has been charged. */
  private StoreException failHalfway() {
    link.secondGoesAwayAfter = 1; // once looked at
    StoreException failure =
        catchThrowableOfType(StoreException.class, () -> run(Operation.HIT, first, second));
    link.secondGoesAwayAfter = Integer.MAX_VALUE;
    assertThat(failure).isNotNull();
    return failure;
  }

  private long used(KeyedLimit limit) {
    return run(Operation.GET, limit).used();
  }

  private void awaitUnused(KeyedLimit limit) {
    Eventually.within(SOON, "the end of the charge", () -> used(limit) == 0);
  }

  @Test
  void what_a_failed_call_charged_stays_if_the_caller_is_admitted_instead() {
    StoreException failure = failHalfway();
    assertThat(used(first)).isEqualTo(1);
    failure.answered(true);
    // A call is answered a moment before it leaves its queue; the charges would stay for seconds.
    Eventually.within(Duration.ofSeconds(1), "nothing under way", dispatcher::isIdle);
    failure.answered(false); // too late: the first word counts
    assertThat(used(first)).isEqualTo(1);
  }

  @Test
  void what_a_failed_call_charged_is_given_back_once_if_the_caller_is_refused_instead() {
    StoreException failure = failHalfway();
    failure.answered(false);
    awaitUnused(first);
    run(Operation.INC, first);
    failure.answered(false);
    assertThat(used(first)).isEqualTo(1);
    Eventually.within(SOON, "nothing under way", dispatcher::isIdle);
  }

  @Test
  void what_a_failed_call_charged_is_given_back_if_nothing_is_said_of_the_caller() {
    StoreException failure = failHalfway();
    assertThat(used(first)).isEqualTo(1);
    awaitUnused(first);
    Eventually.within(SOON, "nothing under way", dispatcher::isIdle);
    failure.answered(true);
    assertThat(used(first)).isZero();
  }

  @Test
  void what_a_failed_call_charged_stays_where_denied_hits_count() {
    KeyedLimit counting = ONE.named("counting").countingDenied().on(key + "-first");
    link.secondGoesAwayAfter = 1;
    StoreException failure =
        catchThrowableOfType(StoreException.class, () -> run(Operation.HIT, counting, second));
    failure.answered(false);
    assertThat(used(counting)).isEqualTo(1);
  }

  @Test
  void an_error_while_charges_are_given_back_leaves_nothing_under_way() {
    StoreException failure = failHalfway();
    link.error = new StackOverflowError("simulated");
    assertThatThrownBy(() -> failure.answered(false)).isInstanceOf(StackOverflowError.class);
    link.error = null;
    Eventually.within(SOON, "nothing under way", dispatcher::isIdle);
  }

  @Test
  void a_store_that_is_closed_waits_for_no_word_of_the_caller() {
    StoreException failure = failHalfway();
    assertThat(dispatcher.isIdle()).isFalse();
    dispatcher.close();
    assertThat(dispatcher.isIdle()).isTrue();
    failure.answered(true);
    assertThat(dispatcher.isIdle()).isTrue();
  }

  /** Two slots by the end of the key, both on one server. */
  private static final class TwoSlots implements Link {

    private final RedisClient client = RedisClient.create();
    private final StatefulRedisConnection<byte[], byte[]> connection =
        client.connect(ByteArrayCodec.INSTANCE, RedisURI.create(Servers.redis().uri()));
    private final Breaker well =
        new Breaker(new CallQueue(1, 64), NoFunctions.AT_ALL, () -> "well", breaker -> {});
    private final Breaker away =
        new Breaker(new CallQueue(1, 64), NoFunctions.AT_ALL, () -> "away", breaker -> {});
    private boolean secondIsAway;
    private int firstGoesAwayAfter = Integer.MAX_VALUE;
    private int secondGoesAwayAfter = Integer.MAX_VALUE;
    private volatile Error error = null;

    TwoSlots() {
      well.close();
    }

    @Override
    public BaseRedisAsyncCommands<byte[], byte[]> commands() {
      return connection.async();
    }

    @Override
    public CompletableFuture<?> open() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public Optional<String> trouble() {
      return Optional.empty();
    }

    @Override
    public String missing() {
      return "nothing is missing";
    }

    @Override
    public int slot(byte[] place) {
      return new String(place, StandardCharsets.UTF_8).endsWith("-first") ? 1 : 2;
    }

    @Override
    public synchronized Breaker breaker(int slot) {
      if (error != null) {
        throw error;
      }
      if (slot == 1) {
        return firstGoesAwayAfter-- > 0 ? well : away;
      }
      return secondIsAway || secondGoesAwayAfter-- <= 0 ? away : well;
    }

    @Override
    public boolean isOne() {
      return false;
    }

    @Override
    public void close() {
      connection.close();
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }
}
