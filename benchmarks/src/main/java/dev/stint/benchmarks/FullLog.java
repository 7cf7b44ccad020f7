package dev.stint.benchmarks;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A hit on a sliding log that is as full as it can be: as many entries as the limit has units, each
 * hit dropping the oldest and adding one. The clock moves one microsecond per hit, or else hits
 * would be so close together that they share an entry.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class FullLog {

  /** The limit, and the number of entries. */
  @Param({"100", "10000"})
  public int amount;

  private final KeyMaker maker = new KeyMaker();
  private RateLimiter limiter;

  /** Fills the log. */
  @Setup(Level.Trial)
  public void fill() {
    Duration window = Duration.of(amount, ChronoUnit.MICROS);
    Store store = LogScenario.store(new StepTime(1), 1);
    limiter = RateLimiter.of(store, Limit.slidingLog(amount, window));
    for (int i = 0; i < 2 * amount; i++) {
      StintInMemory.check(limiter.hit(maker.text(0)));
    }
    if (limiter.hit(maker.text(0)).remaining() != 0) {
      throw new IllegalStateException("the log must be full: " + limiter.peek(maker.text(0)));
    }
  }

  /** A hit that is admitted because the oldest entry has just left. */
  @Benchmark
  public boolean hit() {
    boolean allowed = limiter.hit(maker.text(0)).allowed();
    if (allowed) {
      return true;
    }
    throw new IllegalStateException("every hit must be admitted: one was refused");
  }
}
