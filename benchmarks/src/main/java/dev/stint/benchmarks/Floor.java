package dev.stint.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** What no limiter can do without. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Floor {

  /** A word for every key, 32 bytes apart: the key's number is its place, so nothing is hashed. */
  @State(Scope.Benchmark)
  @SuppressWarnings("NullAway.Init") // JMH sets the fields
  public static class Words {

    private static final int STRIDE = 4;
    private static final long INTERVAL = 1_000;

    /** The keys that have a word. */
    @Param public KeySet keys;

    private AtomicLongArray words;

    /** Makes the words. */
    @Setup(Level.Trial)
    public void make() {
      words = new AtomicLongArray(keys.count() * STRIDE);
    }

    private long take(int index) {
      int place = index * STRIDE;
      long now = System.nanoTime();
      while (true) {
        long word = words.get(place);
        long next = Math.max(word, now) + INTERVAL;
        if (words.compareAndSet(place, word, next)) {
          return next;
        }
      }
    }
  }

  /** Making the key string, which is part of every other figure. */
  @Benchmark
  public String key(Caller caller) {
    return caller.nextText();
  }

  /** Making the key string, one reading of the clock, one compare-and-set. */
  @Benchmark
  public long floor(Words words, Caller caller, Blackhole hole) {
    int index = caller.nextIndex();
    hole.consume(caller.text(index));
    return words.take(index);
  }
}
