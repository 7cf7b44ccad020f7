package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** In no span do several instances admit more than the limit and a chunk for each of them. */
class LeaseExcessTest {

  private static final int INSTANCES = 4;
  private static final int CHUNK = 10;

  static Stream<Limit> limits() {
    return Stream.of(
        Limit.tokenBucket(600, Duration.ofMinutes(1)).burst(40),
        Limit.leakyBucket(7, Duration.ofMillis(300)).burst(100),
        Limit.tokenBucket(1000, Duration.ofSeconds(1)).burst(20));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void the_excess_is_at_most_a_chunk_for_each_instance(Limit limit) {
    Traffic traffic = new Traffic(limit, 0);
    traffic.pass();
    assertThat(traffic.excess()).isLessThanOrEqualTo(INSTANCES * CHUNK);
    assertThat(traffic.excess()).as("leases do exceed the limit").isGreaterThan(2);
    assertThat(traffic.store.calls()).as("leases were taken").isLessThan(traffic.hits);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void what_is_refunded_counts_for_nothing_and_the_rest_keeps_the_bound(Limit limit) {
    Traffic traffic = new Traffic(limit, 3);
    traffic.pass();
    assertThat(traffic.excess()).isLessThanOrEqualTo(INSTANCES * CHUNK);
  }

  /** Lulls, in which the bucket refills, trickles, in which leases age, and bursts. */
  private static final class Traffic {

    private final SplittableRandom random = new SplittableRandom(7);
    private final ManualTime time = ManualTime.create();
    private final WatchedStore store = new WatchedStore(MemoryStore.builder().time(time).build());
    private final RateLimiter[] instances;
    private final double capacity;
    private final long interval;
    private final double perMicro;
    private final int refundOneIn;

    private int hits;

    // The level of a bucket that refuses nobody: its highest is the most that any span admitted
    // beyond what leaks in its time.
    private double level;
    private double most;
    private long last;

    Traffic(Limit limit, int refundOneIn) {
      this.refundOneIn = refundOneIn;
      instances =
          IntStream.range(0, INSTANCES)
              .mapToObj(i -> RateLimiter.of(new Leasing(store, CHUNK), limit))
              .toArray(RateLimiter[]::new);
      capacity = limit.capacity();
      interval = limit.window().toNanos() / 1000 / limit.amount();
      perMicro = limit.amount() * 1000.0 / limit.window().toNanos();
      last = time.micros();
    }

    /** By how much the worst span exceeded what the limit admits in its time. */
    double excess() {
      return most - capacity;
    }

    void pass() {
      for (int phase = 0; phase < 5000; phase++) {
        switch (random.nextInt(4)) {
          case 0 -> time.advanceMicros(random.nextLong(200 * interval));
          case 1 -> trickle(1 + random.nextInt(INSTANCES));
          case 2 -> burst(random.nextInt(300));
          default -> {
            trickle(1);
            burst(300);
          }
        }
      }
    }

    /** Some instances hit just often enough for their leases not to be idle. */
    private void trickle(int some) {
      for (int i = 0; i < 2 + random.nextInt(8); i++) {
        for (int instance = 0; instance < some; instance++) {
          hit(instance);
        }
        time.advanceMicros(interval + random.nextLong(2 * interval));
      }
    }

    private void burst(int length) {
      for (int i = 0; i < length; i++) {
        hit(random.nextInt(INSTANCES));
        time.advanceMicros(random.nextLong(1 + interval / 20));
      }
    }

    private void hit(int instance) {
      hits++;
      long cost = random.nextInt(10) == 0 ? 1 + random.nextLong(4) : 1;
      Decision decision = instances[instance].hit("k", cost);
      if (!decision.allowed()) {
        return;
      }
      if (refundOneIn > 0 && random.nextInt(refundOneIn) == 0) {
        instances[instance].refund(decision);
      } else {
        long now = time.micros();
        level = Math.max(0, level - (now - last) * perMicro) + cost;
        last = now;
        most = Math.max(most, level);
      }
    }
  }
}
