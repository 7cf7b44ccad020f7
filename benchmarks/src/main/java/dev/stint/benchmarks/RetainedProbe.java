package dev.stint.benchmarks;

import java.lang.ref.Reference;
import java.nio.file.Path;

/**
 * Tells how much memory a key takes, by filling a limiter and looking at the heap before and after.
 * A program of its own, because only a fresh heap is an honest one.
 */
final class RetainedProbe {

  private RetainedProbe() {}

  /**
   * Either {@code log-file contestant keys...} or {@code log-file log amount entries expired keys}.
   */
  public static void main(String[] args) {
    Path log = Path.of(args[0]);
    if (args[1].equals("log")) {
      scenario(
          log, new LogScenario(number(args[2]), number(args[3]), number(args[4])), number(args[5]));
    } else {
      int[] steps = new int[args.length - 2];
      for (int i = 0; i < steps.length; i++) {
        steps[i] = number(args[i + 2]);
      }
      contestant(log, Contestant.valueOf(args[1]), steps);
    }
  }

  private static int number(String arg) {
    return Integer.parseInt(arg);
  }

  private static void contestant(Path log, Contestant contestant, int... steps) {
    int most = steps[steps.length - 1];
    Rate rate = contestant.refusing();
    // Classes and their statics are nobody's keys.
    contestant.make(rate, most).insert(new KeyMaker().text(0));
    Fill.all(1_000, (maker, index) -> maker.text(index));
    Heap before = Heap.collect(log);
    Subject subject = contestant.make(rate, most);
    try {
      int filled = 0;
      for (int step : steps) {
        int first = filled;
        Fill.all(step - first, (maker, i) -> subject.insert(maker.text(first + i)));
        filled = step;
        print(step, before, Heap.collect(log));
      }
    } finally {
      Reference.reachabilityFence(subject);
    }
  }

  private static void scenario(Path log, LogScenario scenario, int keys) {
    scenario.fill(1);
    Heap before = Heap.collect(log);
    Object limiter = scenario.fill(keys);
    try {
      print(keys, before, Heap.collect(log));
    } finally {
      Reference.reachabilityFence(limiter);
    }
  }

  private static void print(int keys, Heap before, Heap after) {
    System.out.printf(
        "retained %d %d %d%n",
        keys, after.used() - before.used(), after.regions() - before.regions());
  }
}
