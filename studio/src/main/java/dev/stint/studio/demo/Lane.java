package dev.stint.studio.demo;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import dev.stint.studio.trial.VirtualTime;
import java.time.Duration;
import java.util.stream.LongStream;

/**
 * What one limit made of the traffic: when it admitted and when it refused, in order, in
 * microseconds since the start.
 */
final class Lane {

  /** A moment of our time, so that virtual clocks show nothing odd. */
  private static final long TODAY = 1_767_225_600_000_000L;

  private final Limit limit;
  private final long[] admitted;
  private final long[] refused;

  Lane(Limit limit, long[] admitted, long[] refused) {
    this.limit = limit;
    this.admitted = admitted;
    this.refused = refused;
  }

  /** Sends the traffic through a limiter of its own. It starts where a window of the clock does. */
  static Lane replay(Limit limit, long[] traffic) {
    long window = limit.window().toNanos() / 1000;
    long start = (TODAY / window + 1) * window;
    VirtualTime time = new VirtualTime(start);
    LongStream.Builder admitted = LongStream.builder();
    LongStream.Builder refused = LongStream.builder();
    try (MemoryStore store = MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build()) {
      RateLimiter limiter = RateLimiter.of(store, limit);
      for (long moment : traffic) {
        time.moveTo(start + moment);
        (limiter.hit("client").allowed() ? admitted : refused).add(moment);
      }
    }
    return new Lane(limit, admitted.build().toArray(), refused.build().toArray());
  }

  /** The most that were admitted within any {@code span} microseconds, wherever it begins. */
  long worst(long span) {
    int most = 0;
    int first = 0;
    for (int last = 0; last < admitted.length; last++) {
      // As in the log, what is exactly one span old is out.
      while (admitted[first] <= admitted[last] - span) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }

  Limit limit() {
    return limit;
  }

  long[] admitted() {
    return admitted;
  }

  long[] refused() {
    return refused;
  }
}
