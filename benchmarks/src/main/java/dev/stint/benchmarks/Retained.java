package dev.stint.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a key takes of the heap.
 *
 * @param objects bytes per key in objects
 * @param regions bytes per key in whole G1 regions
 */
record Retained(String row, int keys, double objects, double regions) {

  static final int MILLION = 1_000_000;
  static final int TEN_MILLION = 10_000_000;

  /** One of each kind of state: an instant, a count with its start, two counts. */
  private static final Set<Contestant> QUICK_AT_TEN_MILLION =
      Set.of(
          Contestant.STINT_TOKEN_BUCKET,
          Contestant.STINT_FIXED_WINDOW,
          Contestant.STINT_SLIDING_COUNTER);

  /** Logs that hold little, at two limits; and logs that held much once. */
  static final LogScenario FEW_OF_100 = new LogScenario(100, 3, 0);

  static final LogScenario FEW_OF_10_000 = new LogScenario(10_000, 3, 0);
  static final LogScenario FEW_OF_MANY = new LogScenario(100, 3, 97);

  /** One process: a limiter that is filled and looked at, once or several times. */
  record Job(String row, String id, boolean quick, List<String> args) {

    List<Retained> run() throws IOException, InterruptedException {
      Path log = Files.createTempFile("stint-heap", ".log");
      try {
        List<String> options = List.of("-XX:+UseG1GC", "-Xms9g", "-Xmx9g", Heap.logging(log));
        List<String> all = new ArrayList<>(List.of(log.toString()));
        all.addAll(args);
        return Fork.run(RetainedProbe.class, options, all).stream()
            .filter(line -> line.startsWith("retained "))
            .map(line -> parse(row, line))
            .toList();
      } finally {
        Files.delete(log);
      }
    }
  }

  static List<Job> jobs(boolean quick) {
    List<Job> jobs = new ArrayList<>();
    for (Contestant one : Contestant.values()) {
      if (one == Contestant.STINT_AMONG_OTHERS || one == Contestant.GUAVA) {
        continue;
      }
      boolean wanted =
          one.isStint() || one == Contestant.BUCKET4J_MAP || one == Contestant.RESILIENCE4J;
      List<String> args = new ArrayList<>(List.of(one.name(), Integer.toString(MILLION)));
      if (!quick || QUICK_AT_TEN_MILLION.contains(one)) {
        args.add(Integer.toString(TEN_MILLION));
      }
      String row = one.isLog() ? one.label() + ", 1 entry" : one.label();
      jobs.add(new Job(row, "retained/" + one.slug(), wanted, args));
    }
    for (LogScenario log : List.of(FEW_OF_100, FEW_OF_10_000, FEW_OF_MANY)) {
      jobs.add(
          new Job(
              log.label(),
              "retained/" + log.slug(),
              true,
              List.of(
                  "log",
                  Integer.toString(log.amount()),
                  Integer.toString(log.entries()),
                  Integer.toString(log.expired()),
                  Integer.toString(log.expired() == 0 ? MILLION : MILLION / 10))));
    }
    return jobs;
  }

  static Retained parse(String row, String line) {
    String[] words = line.split(" ", -1);
    int keys = Integer.parseInt(words[1]);
    return new Retained(
        row, keys, Double.parseDouble(words[2]) / keys, Double.parseDouble(words[3]) / keys);
  }
}
