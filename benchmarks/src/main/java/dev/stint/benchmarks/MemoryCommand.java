package dev.stint.benchmarks;

import dev.stint.benchmarks.Timing.Pace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the memory store beside its peers and reports. */
@Command(
    name = "memory",
    description = {
      "Measures the memory store beside Bucket4j, Resilience4j and Guava: time and allocation per"
          + " hit, memory per key, stalls while growing.",
      "Writes memory.md and memory.json, and prints the former. Leave the machine alone meanwhile."
    })
final class MemoryCommand implements Callable<Integer> {

  private static final int MEMORY_JOBS_AT_ONCE = 2;

  @Option(
      names = "--quick",
      description = "Fewer contestants, one short fork each: under 6 minutes.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "<regex>",
      description = "Only what has a match of this in its id, quick or not; see --list.")
  private Pattern only = Pattern.compile("");

  @Option(names = "--list", description = "Print the ids of what would be measured, and end.")
  private boolean list;

  @Option(
      names = "--out",
      paramLabel = "<dir>",
      description = "Where the results go. Default: ${DEFAULT-VALUE}.")
  private Path out = Path.of("bench-results");

  private final PrintStream terminal = System.out;
  private final long begin = System.nanoTime();

  @Override
  public Integer call() throws IOException, InterruptedException, RunnerException {
    List<Cell> cells =
        Plan.cells().stream().filter(cell -> chosen(cell.id(), cell.quick())).toList();
    List<Retained.Job> retained =
        Retained.jobs(quick).stream().filter(job -> chosen(job.id(), job.quick())).toList();
    List<Growth.Job> growth =
        Growth.jobs().stream().filter(job -> chosen(job.id(), job.quick())).toList();
    if (list) {
      cells.forEach(cell -> terminal.println(cell.id()));
      retained.forEach(job -> terminal.println(job.id()));
      growth.forEach(job -> terminal.println(job.id()));
      return 0;
    }
    Pace pace = quick ? Pace.QUICK : Pace.FULL;
    Results results =
        new Results(
            Environment.here(quick, pace.toString(), "G1, heap of 6 GiB, of 12 GiB for 10 M keys"));
    time(cells, pace, results.figures());
    for (Growth.Job job : growth) {
      progress(job.id());
      results.growth().add(job.run());
    }
    results.retained().addAll(weigh(retained));
    write(new Report(results));
    return 0;
  }

  private boolean chosen(String id, boolean inQuick) {
    boolean all = only.pattern().isEmpty();
    return (all ? !quick || inQuick : only.matcher(id).find());
  }

  /** Column by column, and within one, round by round, so that rivals alternate. */
  private void time(List<Cell> cells, Pace pace, List<Figure> figures) throws RunnerException {
    Map<String, List<Timing>> columns = new LinkedHashMap<>();
    for (Cell cell : cells) {
      columns
          .computeIfAbsent(cell.section() + cell.column(), c -> new ArrayList<>())
          .add(new Timing(cell));
    }
    for (List<Timing> column : columns.values()) {
      for (int round = 0; round < pace.forks(); round++) {
        for (Timing timing : column) {
          timing.fork(pace);
          Figure figure = timing.figure();
          progress("%s: %.1f ns".formatted(figure.cell().id(), figure.nanos()));
        }
      }
      column.forEach(timing -> figures.add(timing.figure()));
    }
  }

  /** Two at a time: how much memory something takes does not depend on who else is running. */
  private List<Retained> weigh(List<Retained.Job> jobs) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(MEMORY_JOBS_AT_ONCE);
    try {
      List<Callable<List<Retained>>> calls = new ArrayList<>();
      for (Retained.Job job : jobs) {
        calls.add(
            () -> {
              List<Retained> weighed = job.run();
              progress(job.id());
              return weighed;
            });
      }
      List<Retained> all = new ArrayList<>();
      for (Future<List<Retained>> done : pool.invokeAll(calls)) {
        all.addAll(done.get());
      }
      return all;
    } catch (ExecutionException e) {
      throw new IllegalStateException("memory must be measurable", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private void progress(String what) {
    long seconds = (System.nanoTime() - begin) / 1_000_000_000;
    terminal.printf(Locale.ROOT, "%4d s  %s%n", seconds, what);
  }

  private void write(Report report) throws IOException {
    Files.createDirectories(out);
    Files.writeString(out.resolve("memory.md"), report.markdown());
    Files.writeString(out.resolve("memory.json"), report.json());
    terminal.println();
    terminal.println(report.markdown());
    terminal.println("Written: " + out.resolve("memory.md") + ", " + out.resolve("memory.json"));
  }
}
