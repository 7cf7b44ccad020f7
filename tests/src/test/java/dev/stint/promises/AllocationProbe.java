package dev.stint.promises;

import com.sun.management.ThreadMXBean;
import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import java.lang.management.CompilationMXBean;
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
  // happen before the last round, or it compiles anew in the midst of it.
  private static final long WARM_UP = 3_000_000_000L;

  // A round in which it did so all the same is not the last one; it comes to rest some time.
  private static final int MOST_ROUNDS = 1_000;

  private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

  private static volatile @Nullable Decision kept;

  private AllocationProbe() {}

  /** Takes a rate string. */
  public static void main(String[] args) {
    String[] keys = new String[64];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = "user:" + i;
    }
    RateLimiter limiter = RateLimiter.of(Limit.parse(args[0]));
    double keeping = 0;
    double reading = 0;
    long begin = System.nanoTime();
    boolean compiled = true;
    for (int round = 0;
        round < ROUNDS || System.nanoTime() - begin < WARM_UP || (compiled && round < MOST_ROUNDS);
        round++) {
      long before = COMPILER.getTotalCompilationTime();
      keeping = keep(limiter, keys);
      reading = read(limiter, keys);
      compiled = COMPILER.getTotalCompilationTime() > before;
    }
    if (kept == null) {
      throw new IllegalStateException("a decision must have been kept");
    }
    System.out.println(keeping + " " + reading);
  }

  private static double keep(RateLimiter limiter, String[] keys) {
    long before = allocated();
    for (int i = 0; i < HITS; i++) {
      kept = limiter.hit(keys[i & (keys.length - 1)]);
    }
    return (double) (allocated() - before) / HITS;
  }

  private static double read(RateLimiter limiter, String[] keys) {
    long before = allocated();
    long allowed = 0;
    for (int i = 0; i < HITS; i++) {
      allowed += limiter.hit(keys[i & (keys.length - 1)]).allowed() ? 1 : 0;
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
