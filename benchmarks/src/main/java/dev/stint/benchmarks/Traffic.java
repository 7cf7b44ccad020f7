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
import org.openjdk.jmh.infra.Blackhole;

/** A hit on a key that the limiter already knows, answered with yes or no. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Traffic {

  /** The limiter, with all its keys. */
  @State(Scope.Benchmark)
  @SuppressWarnings("NullAway.Init") // JMH sets the fields
  public static class Filled {

    /** Who is asked. */
    @Param public Contestant contestant;

    /** The keys that are inserted; those that come. */
    @Param public KeySet keys;

    /** What the answers are to be. */
    @Param public Answers answers;

    private Subject subject;

    /** Inserts all keys. */
    @Setup(Level.Trial)
    public void fill() {
      CoreJar.verify();
      subject = contestant.make(answers.rate(contestant, keys), keys.count());
      Fill.all(
          keys.count(),
          (maker, index) -> {
            if (answers.exhausted(index)) {
              subject.exhaust(maker.text(index));
            } else {
              subject.insert(maker.text(index));
            }
          });
      System.gc();
    }
  }

  /** A caller whose answers are checked. */
  @State(Scope.Thread)
  public static class Asking extends Caller {

    /** Fails the benchmark if hits were admitted or refused that should not have been. */
    @TearDown(Level.Iteration)
    public void check(Filled filled) {
      check(filled.answers);
    }
  }

  /** A hit with a key string made for it. */
  @Benchmark
  public boolean hit(Filled filled, Asking caller) {
    return caller.count(filled.subject.hit(caller.nextText()));
  }

  /** The same, keeping the limiter's whole answer, so that it cannot live in registers only. */
  @Benchmark
  public void kept(Filled filled, Asking caller, Blackhole hole) {
    hole.consume(filled.subject.answer(caller.nextText()));
  }
}
