package dev.stint.promises;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A hit allocates its decision and nothing else, in every algorithm and in every form of state. */
class AllocationTest {

  private static final int HITS = 100_000;

  // A decision is 96 bytes with compressed references, 120 without; anything beside it would show.
  private static final double DECISION = 120.5;

  private final String[] keys = new String[64];
  private volatile Object kept = "";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1000000/second",
        "1000000000/second",
        "30000/day fixed-window",
        "1000000000/day fixed-window-per-key",
        "50/minute sliding-counter",
        "1000000/minute sliding-counter",
        "100/minute sliding-log",
        "1000000000 total",
      })
  void a_hit_on_a_known_key_allocates_no_more_than_its_decision(String rate) {
    for (int i = 0; i < keys.length; i++) {
      keys[i] = "user:" + i;
    }
    try (RateLimiter limiter = RateLimiter.of(Limit.parse(rate))) {
      assertThat(leastOf(key -> kept = limiter.hit(key))).isLessThan(DECISION);
    }
  }

  /** The bytes per hit of the best of many rounds: what the compiler has settled on. */
  private double leastOf(Consumer<String> hit) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double least = Double.MAX_VALUE;
    for (int round = 0; round < 30; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < HITS; i++) {
        hit.accept(keys[i & (keys.length - 1)]);
      }
      long bytes = threads.getCurrentThreadAllocatedBytes() - before;
      least = Math.min(least, (double) bytes / HITS);
    }
    return least;
  }
}
