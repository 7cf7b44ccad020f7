package dev.stint.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The slowest insert while growing to ten million keys, in milliseconds.
 *
 * @param longest as it was
 * @param netOfCollections less the garbage collections in it
 * @param net less also the stalls that an idle thread saw at the same time
 * @param control the longest stall of the idle thread, collections aside
 * @param collection the longest garbage collection
 * @param meanNanos the average insert, key string included, in nanoseconds
 */
record Growth(
    String row,
    double longest,
    double netOfCollections,
    double net,
    double control,
    double collection,
    long meanNanos) {

  static final int KEYS = 10_000_000;

  /** One process: a limiter that grows. */
  record Job(Contestant contestant, String id, boolean quick) {

    Growth run() throws IOException, InterruptedException {
      Path log = Files.createTempFile("stint-safepoints", ".log");
      try {
        List<String> options = List.of("-XX:+UseG1GC", "-Xms9g", "-Xmx9g", Safepoints.logging(log));
        List<String> args = List.of(log.toString(), contestant.name(), Integer.toString(KEYS));
        return Fork.run(GrowthProbe.class, options, args).stream()
            .filter(line -> line.startsWith("growth "))
            .map(line -> parse(contestant.label(), line))
            .findFirst()
            .orElseThrow();
      } finally {
        Files.delete(log);
      }
    }
  }

  static List<Job> jobs() {
    List<Job> jobs = new ArrayList<>();
    for (Contestant one : Contestant.values()) {
      boolean peer = one == Contestant.BUCKET4J_MAP || one == Contestant.BUCKET4J_CAFFEINE;
      if (peer || (one.isStint() && one != Contestant.STINT_AMONG_OTHERS)) {
        boolean quick = one == Contestant.STINT_TOKEN_BUCKET;
        jobs.add(new Job(one, "growth/" + one.slug(), quick));
      }
    }
    return jobs;
  }

  static Growth parse(String row, String line) {
    String[] words = line.split(" ", -1);
    return new Growth(
        row,
        millis(words[1]),
        millis(words[2]),
        millis(words[3]),
        millis(words[4]),
        millis(words[5]),
        Long.parseLong(words[6]));
  }

  private static double millis(String nanos) {
    return Long.parseLong(nanos) / 1e6;
  }
}
