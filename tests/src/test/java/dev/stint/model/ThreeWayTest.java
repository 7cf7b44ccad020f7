package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.StoreException;
import dev.stint.TimeSource;
import dev.stint.lab.RedisServer;
import dev.stint.memory.MemoryStore;
import dev.stint.redis.RedisStore;
import dev.stint.redis.Servers;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The model, the memory store and the Redis store over the same random traces, all at the same
 * moments.
 *
 * <p>{@code -Dstint.threeway.steps=n} says how many steps to take, {@code -Dstint.seed=n} where to
 * begin.
 */
class ThreeWayTest {

  private static final long STEPS = Long.getLong("stint.threeway.steps", 100_000);

  @Test
  @Tag("redis")
  void model_memory_and_redis_answer_alike() throws Exception {
    List<RedisServer> servers = List.of(Servers.redis());
    compare("Redis", Servers.redis().uri(), servers, limit -> limit, false, STEPS);
  }

  @Test
  @Tag("cluster")
  void model_memory_and_a_cluster_answer_alike_where_one_tag_keeps_a_call_together()
      throws Exception {
    String uri = Servers.cluster().uri();
    List<RedisServer> masters = Servers.cluster().masters();
    compare("Cluster", uri, masters, limit -> limit.in("one place"), false, STEPS);
  }

  /**
   * A refused call over several slots leaves what was there, as far as anybody can tell later; only
   * what a step back of the clock or a change of amount would bring to light again is gone.
   */
  @Test
  @Tag("cluster")
  void model_memory_and_a_cluster_answer_alike_over_several_slots_while_time_goes_on()
      throws Exception {
    String uri = Servers.cluster().uri();
    List<RedisServer> masters = Servers.cluster().masters();
    compare("Cluster, several slots", uri, masters, limit -> limit, true, STEPS / 4);
  }

  private static void compare(
      String name,
      String uri,
      List<RedisServer> servers,
      UnaryOperator<KeyedLimit> placing,
      boolean calm,
      long wanted)
      throws Exception {
    long seed = Long.getLong("stint.seed", new SplittableRandom().nextLong(1_000_000_000_000L));
    CurrentTime current = new CurrentTime();
    long steps = 0;
    long traces = 0;
    long begin = System.nanoTime();
    try (RedisStore redis = Servers.patient(uri, current)) {
      awaitConnection(redis);
      while (steps < wanted) {
        servers.forEach(server -> server.ask("FLUSHALL"));
        Trace trace =
            new Trace(
                seed + traces,
                calm,
                time -> {
                  current.time = time;
                  return new Agreeing(memory(time), redis, placing);
                });
        try {
          trace.run();
        } catch (AssertionError e) {
          throw new AssertionError("-Dstint.seed=" + (seed + traces) + " comes to this again", e);
        }
        steps += trace.steps();
        traces++;
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        "Three ways, %s %s: %,d steps in %,d traces from seed %d, %.1f s, no difference%n",
        name, servers.get(0).version(), steps, traces, seed, seconds);
    assertThat(steps).isGreaterThanOrEqualTo(wanted);
  }

  /** Before it is connected, which takes a while on a busy machine, a store answers at once. */
  private static void awaitConnection(RedisStore redis) throws InterruptedException {
    RateLimiter limiter = RateLimiter.of(redis, Limit.parse("1/second"));
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (true) {
      try {
        limiter.get("connected");
        return;
      } catch (StoreException e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
        Thread.sleep(10);
      }
    }
  }

  private static MemoryStore memory(ManualTime time) {
    return MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build();
  }

  /** The clock of the trace that runs now. */
  private static final class CurrentTime implements TimeSource {
    private ManualTime time = ManualTime.create();

    @Override
    public long micros() {
      return time.micros();
    }

    @Override
    public void sleep(long micros) throws InterruptedException {
      time.sleep(micros);
    }

    @Override
    public CompletableFuture<Void> delay(long micros) {
      return time.delay(micros);
    }
  }
}
