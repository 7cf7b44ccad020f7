package dev.stint.server.resp;

import dev.stint.Limit;
import dev.stint.server.engine.Policies;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the limits of {@code CL.THROTTLE}, which are given anew with each call but are mostly
 * the same few. Of two with the same place the later one stays.
 */
final class BucketCache {

  private static final int PLACES = 1024;

  private record Entry(long burst, long count, long period, Limit limit) {}

  private final @Nullable Entry[] entries = new Entry[PLACES];

  /**
   * The bucket with room for {@code burst} more than one, from which {@code count} leak each {@code
   * period} seconds.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  Limit get(long burst, long count, long period) {
    int place = place(burst, count, period);
    Entry entry = entries[place];
    if (entry != null && entry.burst == burst && entry.count == count && entry.period == period) {
      return entry.limit;
    }
    Limit limit =
        Limit.tokenBucket(count, Duration.ofSeconds(period))
            .burst(burst + 1)
            .named(Policies.THROTTLE);
    entries[place] = new Entry(burst, count, period, limit);
    return limit;
  }

  private static int place(long burst, long count, long period) {
    long mixed = ((burst * 31 + count) * 31 + period) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 54);
  }
}
