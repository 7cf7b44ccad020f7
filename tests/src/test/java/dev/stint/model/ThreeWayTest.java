package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.StoreException;
import dev.stint.TimeSource;
import dev.stint.lab.RedisServer;
import dev.stint.lab.Resp;
import dev.stint.memory.MemoryStore;
import dev.stint.redis.RedisStore;
import dev.stint.redis.Servers;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The model, the memory store and the Redis store over the same random traces, all at the same
 * moments.
 *
 * <p>On one Redis several traces run at a time, each in a database of its own: a single one would
 * mostly wait for round trips.
 *
 * <p>{@code -Dstint.threeway.steps=n} says how many steps to take, {@code -Dstint.seed=n} where to
 * begin.
 */
class ThreeWayTest {

  private static final long STEPS = Long.getLong("stint.threeway.steps", 100_000);
  private static final int DATABASES = 8;

  @Test
  @Tag("redis")
  void model_memory_and_redis_answer_alike() throws Exception {
    new Comparison(limit -> limit, false, STEPS)
        .run("Redis " + Servers.redis().version(), databases(Servers::patient));
  }

  @Test
  @Tag("redis")
  void model_memory_and_redis_answer_alike_by_script() throws Exception {
    new Comparison(limit -> limit, false, STEPS / 4)
        .run("Redis " + Servers.redis().version() + ", EVALSHA", databases(Servers::byScript));
  }

  private static List<Comparison.Place> databases(Comparison.Connecting connecting) {
    RedisServer server = Servers.redis();
    List<Comparison.Place> databases = new ArrayList<>();
    for (int number = 0; number < DATABASES; number++) {
      String database = Integer.toString(number);
      databases.add(
          new Comparison.Place(
              server.uri() + "/" + database,
              connecting,
              () -> {
                try (Resp resp = server.resp()) {
                  resp.text("SELECT", database);
                  resp.text("FLUSHDB");
                }
              }));
    }
    return databases;
  }

  @Test
  @Tag("cluster")
  void model_memory_and_a_cluster_answer_alike_where_one_tag_keeps_a_call_together()
      throws Exception {
    new Comparison(limit -> limit.in("one place"), false, STEPS).run("Cluster", cluster());
  }

  /**
   * A refused call over several slots leaves what was there, as far as anybody can tell later; only
   * what a step back of the clock or a change of amount would bring to light again is gone.
   */
  @Test
  @Tag("cluster")
  void model_memory_and_a_cluster_answer_alike_over_several_slots_while_time_goes_on()
      throws Exception {
    new Comparison(limit -> limit, true, STEPS / 4).run("Cluster, several slots", cluster());
  }

  private static List<Comparison.Place> cluster() {
    List<RedisServer> masters = Servers.cluster().masters();
    return List.of(
        new Comparison.Place(
            Servers.cluster().uri(),
            Servers::patient,
            () -> masters.forEach(master -> master.ask("FLUSHALL"))));
  }

  /** Traces from one seed on, each run in the next place that is free. */
  private static final class Comparison {

    /**
     * Where a trace is run.
     *
     * @param clear empties it
     */
    private record Place(String uri, Connecting connecting, Runnable clear) {}

    private interface Connecting {
      RedisStore connect(String uri, TimeSource time);
    }

    private final UnaryOperator<KeyedLimit> placing;
    private final boolean calm;
    private final long wanted;
    private final long seed =
        Long.getLong("stint.seed", new SplittableRandom().nextLong(1_000_000_000_000L));
    private final AtomicLong steps = new AtomicLong();
    private final AtomicLong traces = new AtomicLong();
    private volatile boolean failed;

    Comparison(UnaryOperator<KeyedLimit> placing, boolean calm, long wanted) {
      this.placing = placing;
      this.calm = calm;
      this.wanted = wanted;
    }

    void run(String name, List<Place> places) throws Exception {
      long begin = System.nanoTime();
      ExecutorService threads = Executors.newFixedThreadPool(places.size());
      try {
        List<Future<?>> running = new ArrayList<>();
        for (Place place : places) {
          running.add(threads.submit(() -> runIn(place)));
        }
        for (Future<?> one : running) {
          one.get();
        }
      } finally {
        threads.shutdownNow();
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      System.out.printf(
          "Three ways, %s: %,d steps in %,d traces from seed %d, %.1f s, no difference%n",
          name, steps.get(), traces.get(), seed, seconds);
      assertThat(steps.get()).isGreaterThanOrEqualTo(wanted);
    }

    private @Nullable Void runIn(Place place) throws Exception {
      CurrentTime current = new CurrentTime();
      try (RedisStore redis = place.connecting.connect(place.uri, current)) {
        awaitConnection(redis);
        while (steps.get() < wanted && !failed) {
          place.clear.run();
          run(seed + traces.getAndIncrement(), redis, current);
        }
      }
      return null;
    }

    private void run(long number, RedisStore redis, CurrentTime current) throws Exception {
      Trace trace =
          new Trace(
              number,
              calm,
              time -> {
                current.time = time;
                return new Agreeing(memory(time), redis, placing);
              });
      try {
        trace.run();
      } catch (AssertionError e) {
        failed = true;
        throw new AssertionError("-Dstint.seed=" + number + " comes to this again", e);
      }
      steps.addAndGet(trace.steps());
    }
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
    private volatile ManualTime time = ManualTime.create();

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
