package dev.stint.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures cells with JMH, one fork at a time, so that forks of different cells can alternate. */
final class Timing {

  /** How long each fork takes. */
  record Pace(int forks, int warmups, long warmupMillis, int iterations, long iterationMillis) {
    static final Pace QUICK = new Pace(1, 2, 500, 3, 300);
    static final Pace FULL = new Pace(3, 3, 1_000, 4, 1_000);

    @Override
    public String toString() {
      return "%d fork(s) of %d × %d ms warm-up and %d × %d ms"
          .formatted(forks, warmups, warmupMillis, iterations, iterationMillis);
    }
  }

  private final Cell cell;
  private final List<Double> nanos = new ArrayList<>();
  private final List<Double> bytes = new ArrayList<>();
  private double low = Double.POSITIVE_INFINITY;
  private double high;
  private double leastBytes = Double.POSITIVE_INFINITY;

  Timing(Cell cell) {
    this.cell = cell;
  }

  /**
   * Runs one fork.
   *
   * @param jvmOptions for the fork, besides its collector and heap
   */
  void fork(Pace pace, String... jvmOptions) throws RunnerException {
    List<String> jvm =
        new ArrayList<>(List.of("-XX:+UseG1GC", "-Xms" + cell.heap(), "-Xmx" + cell.heap()));
    jvm.addAll(List.of(jvmOptions));
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^\\Q" + Timing.class.getPackageName() + "." + cell.benchmark() + "\\E$")
            .threads(cell.threads())
            .forks(1)
            .warmupIterations(pace.warmups())
            .warmupTime(TimeValue.milliseconds(pace.warmupMillis()))
            .measurementIterations(pace.iterations())
            .measurementTime(TimeValue.milliseconds(pace.iterationMillis()))
            .jvmArgs(jvm.toArray(String[]::new))
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    cell.params().forEach(options::param);
    Collection<RunResult> results = new Runner(options.build()).run();
    if (results.size() != 1) {
      throw new IllegalStateException(
          "a cell must be one benchmark: " + cell.id() + " is " + results.size());
    }
    results.forEach(this::take);
  }

  private void take(RunResult result) {
    nanos.add(result.getPrimaryResult().getScore());
    bytes.add(allocated(result.getSecondaryResults()));
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        double score = iteration.getPrimaryResult().getScore();
        low = Math.min(low, score);
        high = Math.max(high, score);
        leastBytes = Math.min(leastBytes, allocated(iteration.getSecondaryResults()));
      }
    }
  }

  @SuppressWarnings("rawtypes") // as JMH has it
  private static double allocated(Map<String, Result> results) {
    return results.entrySet().stream()
        .filter(entry -> entry.getKey().endsWith("gc.alloc.rate.norm"))
        .mapToDouble(entry -> entry.getValue().getScore())
        .findFirst()
        .orElseThrow();
  }

  Figure figure() {
    return new Figure(cell, median(nanos), low, high, median(bytes));
  }

  /**
   * The least bytes per hit of any iteration. Code that is compiled anew allocates more for a
   * moment; what hits really allocate, they do in every iteration.
   */
  double leastBytes() {
    return leastBytes;
  }

  static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("a median must have values: " + Arrays.toString(sorted));
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
