package dev.stint.benchmarks;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.memory.MemoryStore;
import java.time.Duration;

/**
 * How many entries idle keys' logs hold, and how many they once held.
 *
 * @param amount the limit
 * @param entries the hits that are still in the window
 * @param expired the hits that have left it
 */
record LogScenario(int amount, int entries, int expired) {

  private static final Duration WINDOW = Duration.ofDays(1);
  private static final long SECOND = 1_000_000;

  String label() {
    String once = expired == 0 ? "" : " of " + (entries + expired) + " once";
    return "Stint sliding log of %,d, %d %s%s"
        .formatted(amount, entries, entries == 1 ? "entry" : "entries", once);
  }

  String slug() {
    return "stint-sliding-log-" + amount + "-" + entries + (expired == 0 ? "" : "-" + expired);
  }

  /** A store that is swept only when told to, because its clock stands still between calls. */
  static Store store(StepTime time, long rows) {
    return MemoryStore.builder()
        .maxKeys(rows)
        .time(time)
        .cleanPeriod(Duration.ZERO)
        .logBudget(Long.MAX_VALUE)
        .build();
  }

  /** Lets every key have its hits, a second apart, those that are to expire a window before. */
  RateLimiter fill(int keys) {
    StepTime time = new StepTime(0);
    RateLimiter limiter = RateLimiter.of(store(time, keys), Limit.slidingLog(amount, WINDOW));
    passes(limiter, time, keys, expired);
    time.advance(WINDOW.toNanos() / 1_000 - SECOND * entries);
    passes(limiter, time, keys, entries);
    time.advance(SECOND * entries);
    limiter.clean();
    KeyMaker maker = new KeyMaker();
    long used = limiter.get(maker.text(0));
    if (used != entries) {
      throw new IllegalStateException("a log must hold " + entries + " entries: " + used);
    }
    return limiter;
  }

  private static void passes(RateLimiter limiter, StepTime time, int keys, int passes) {
    for (int pass = 0; pass < passes; pass++) {
      time.advance(SECOND);
      Fill.all(keys, (maker, index) -> StintInMemory.check(limiter.hit(maker.text(index))));
    }
  }
}
