package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

/** A call over two slots, of which one cannot be asked. */
@Tag("redis")
class MultiSlotCallTest {

  private static final Limit ONE = Limit.fixedWindowPerKey(1, Duration.ofDays(1));
  private static final PlaceNames NAMES = new PlaceNames("stint:");

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
          Duration.ofSeconds(20));

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

  /** Two slots by the end of the key, both on one server. */
  private static final class TwoSlots implements Link {

    private final RedisClient client = RedisClient.create();
    private final StatefulRedisConnection<byte[], byte[]> connection =
        client.connect(ByteArrayCodec.INSTANCE, RedisURI.create(Servers.redis().uri()));
    private final Breaker well = new Breaker(new CallQueue(1, 64), () -> "well", breaker -> {});
    private final Breaker away = new Breaker(new CallQueue(1, 64), () -> "away", breaker -> {});
    private boolean secondIsAway;
    private int firstGoesAwayAfter = Integer.MAX_VALUE;

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
      if (slot == 1) {
        return firstGoesAwayAfter-- > 0 ? well : away;
      }
      return secondIsAway ? away : well;
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
