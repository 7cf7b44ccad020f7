package dev.stint.benchmarks;

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
import org.openjdk.jmh.annotations.TearDown;

/** A hit asked in one of the {@linkplain Form other ways}. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Forms {

  /** The limiter, with all its keys. */
  @State(Scope.Benchmark)
  @SuppressWarnings("NullAway.Init") // JMH sets the fields
  public static class Filled {

    /** How it is asked. */
    @Param public Form form;

    /** The keys that are inserted; those that come. */
    @Param public KeySet keys;

    private Asked asked;

    /** Inserts all keys. */
    @Setup(Level.Trial)
    public void fill() {
      asked = form.make(keys);
      Fill.all(keys.count(), asked::insert);
      System.gc();
    }
  }

  /** A caller whose hits are all to be admitted. */
  @State(Scope.Thread)
  public static class Asking extends Caller {

    /** Fails the benchmark if hits were refused. */
    @TearDown(Level.Iteration)
    public void check() {
      check(Answers.ADMITTED);
    }
  }

  /** A hit with keys made for it. */
  @Benchmark
  public boolean hit(Filled filled, Asking caller) {
    return caller.count(filled.asked.hit(caller));
  }
}
