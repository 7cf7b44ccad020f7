package dev.stint.promises;

import com.sun.management.ThreadMXBean;
import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * A program that prints how many bytes a hit allocates, with the decision kept and not kept. It is
 * a process of its own because the answer depends on what else a JVM has run.
 */
final class AllocationProbe {

  private static final int HITS = 200_000;
  private static final int ROUNDS = 15;

  // Windows of the clock look at the wall clock once a second. The compiler must have seen that
  // happen, or it throws code away and interprets some thousand hits in the midst of a round.
  private static final long WARM_UP = 3_000_000_000L;

  // It may do so once more all the same, in a round or two. What hits allocate, they do in all.
  private static final int JUDGED = 5;

  private static volatile @Nullable Decision kept;

  private AllocationProbe() {}

  /** Takes rate strings, and "given" if the only limit is to be given in each call. */
  public static void main(String[] args) {
    String[] keys = new String[64];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = "user:" + i;
    }
    Limit[] limits = Limit.parseAll(args[0]).toArray(Limit[]::new);
    RateLimiter limiter = RateLimiter.of(limits);
    Limit given = args.length > 1 ? limits[0] : null;
    long begin = System.nanoTime();
    for (int round = 0; round < ROUNDS || System.nanoTime() - begin < WARM_UP; round++) {
      keep(limiter, given, keys);
      read(limiter, given, keys);
    }
    double keeping = Double.MAX_VALUE;
    double reading = Double.MAX_VALUE;
    for (int round = 0; round < JUDGED; round++) {
      keeping = Math.min(keeping, keep(limiter, given, keys));
      reading = Math.min(reading, read(limiter, given, keys));
    }
    if (kept == null) {
      throw new IllegalStateException("a decision must have been kept");
    }
    System.out.println(keeping + " " + reading);
  }

  private static double keep(RateLimiter limiter, @Nullable Limit given, String[] keys) {
    long before = allocated();
    for (int i = 0; i < HITS; i++) {
      String key = keys[i & (keys.length - 1)];
      kept = given == null ? limiter.hit(key) : limiter.hit(given.on(key));
    }
    return (double) (allocated() - before) / HITS;
  }

  private static double read(RateLimiter limiter, @Nullable Limit given, String[] keys) {
    long before = allocated();
    long allowed = 0;
    for (int i = 0; i < HITS; i++) {
      String key = keys[i & (keys.length - 1)];
      boolean passed =
          given == null ? limiter.hit(key).allowed() : limiter.hit(given.on(key)).allowed();
      allowed += passed ? 1 : 0;
    }
    if (allowed < 0) {
      throw new IllegalStateException("no count is negative: " + allowed);
    }
    return (double) (allocated() - before) / HITS;
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}
