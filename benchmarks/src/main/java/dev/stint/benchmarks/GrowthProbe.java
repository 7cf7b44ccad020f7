package dev.stint.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells how long the slowest insert takes while a limiter grows from nothing. A program of its own.
 */
final class GrowthProbe {

  private static final long WORTH_NOTING = 200_000;
  private static final int REHEARSAL = 200_000;

  private GrowthProbe() {}

  /** {@code log-file contestant keys}, where the log is what {@link Safepoints#logging} writes. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path log = Path.of(args[0]);
    Contestant contestant = Contestant.valueOf(args[1]);
    int keys = Integer.parseInt(args[2]);
    // Compiled first: an interpreter's pace is not the table's.
    grow(contestant, REHEARSAL);
    System.gc();
    ControlThread control = ControlThread.started();
    long begin = System.nanoTime();
    Stalls inserts = grow(contestant, keys);
    long nanos = System.nanoTime() - begin;
    Stalls others = control.stop();
    Stalls collections = Safepoints.collections(Files.readString(log));
    Stalls both = new Stalls();
    both.addAll(others);
    both.addAll(collections);
    System.out.printf(
        "growth %d %d %d %d %d %d%n",
        inserts.longest(),
        inserts.longestNetOf(collections),
        inserts.longestNetOf(both),
        others.longestNetOf(collections),
        collections.longest(),
        nanos / keys);
  }

  private static Stalls grow(Contestant contestant, int keys) {
    Subject subject = contestant.make(contestant.refusing(), keys);
    KeyMaker maker = new KeyMaker();
    Stalls stalls = new Stalls();
    for (int index = 0; index < keys; index++) {
      String key = maker.text(index);
      long start = System.nanoTime();
      subject.insert(key);
      long end = System.nanoTime();
      if (end - start > WORTH_NOTING) {
        stalls.add(start, end);
      }
    }
    return stalls;
  }
}
