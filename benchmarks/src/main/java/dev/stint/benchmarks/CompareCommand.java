package dev.stint.benchmarks;

import dev.stint.benchmarks.Cell.Section;
import dev.stint.benchmarks.Comparison.Measurement;
import dev.stint.benchmarks.Comparison.Round;
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
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares the memory store of two builds and reports. */
@Command(
    name = "compare",
    description = {
      "Compares the memory stores of two builds of stint-core: time and allocation per hit, in"
          + " alternating order, each measurement in a JVM of its own.",
      "Writes compare.md and compare.json, and prints the former. Leave the machine alone during"
          + " the run."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class CompareCommand implements Callable<Integer> {

  static final int ROUNDS = 7;
  static final int QUICK_ROUNDS = 3;

  private static final Set<String> COLUMNS =
      Set.of(
          Section.JOINT + Plan.column(KeySet.HOT, 1),
          Section.HITS + Plan.column(KeySet.HOT, 1),
          Section.HITS + Plan.column(KeySet.HOT, 2),
          Section.HITS + Plan.column(KeySet.MILLION, 1),
          Section.REFUSALS + Plan.column(KeySet.HOT, 1));

  private static final Set<Contestant> ALGORITHMS =
      Set.of(
          Contestant.STINT_TOKEN_BUCKET,
          Contestant.STINT_FIXED_WINDOW,
          Contestant.STINT_SLIDING_COUNTER,
          Contestant.STINT_SLIDING_LOG);

  /**
   * A young generation that has been written to all over before the measuring starts. One that
   * still grows gets its memory from the system page by page. In a virtual machine that can take
   * longer than the hits themselves, from a moment on that differs from JVM to JVM.
   */
  private static final String YOUNG = "-Xmn256m";

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "OLD.jar", description = "The stint-core to compare with.")
  private Path older;

  @Parameters(index = "1", paramLabel = "NEW.jar", description = "The stint-core to judge.")
  private Path newer;

  @Option(
      names = "--rounds",
      paramLabel = "<n>",
      description =
          "How often each row is measured with each jar. Default: "
              + ROUNDS
              + ", quick "
              + QUICK_ROUNDS
              + ".")
  private @Nullable Integer rounds;

  @Option(names = "--quick", description = "Fewer and shorter rounds, for a first look.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "<regex>",
      description = "Only rows that have a match of this in their id, such as hits/hot-1-t.")
  private Pattern only = Pattern.compile("");

  @Option(
      names = "--out",
      paramLabel = "<dir>",
      description = "Where the results go. Default: ${DEFAULT-VALUE}.")
  private Path out = Path.of("bench-results");

  private final PrintStream terminal = System.out;
  private final long begin = System.nanoTime();

  @Override
  public Integer call() throws Exception {
    int count = rounds();
    List<Cell> cells = cells(only);
    if (cells.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--only must match the id of a row: " + only + " matches none");
    }
    Path folder = Files.createTempDirectory("bench-compare").toRealPath();
    Path oldCopy = folder.resolve("old.jar");
    Path newCopy = folder.resolve("new.jar");
    try {
      CoreJar oldJar = jar("OLD.jar", older, oldCopy);
      CoreJar newJar = jar("NEW.jar", newer, newCopy);
      oldJar.probe();
      newJar.probe();
      write(compare(cells, count, oldJar, newJar));
    } finally {
      Files.deleteIfExists(oldCopy);
      Files.deleteIfExists(newCopy);
      Files.delete(folder);
    }
    return 0;
  }

  private int rounds() {
    int count = rounds == null ? (quick ? QUICK_ROUNDS : ROUNDS) : rounds;
    if (count < 1) {
      throw new ParameterException(spec.commandLine(), "--rounds must be at least 1: " + count);
    }
    return count;
  }

  /** What is measured, in the order of measuring. */
  static List<Cell> cells(Pattern only) {
    List<String> rows =
        Stream.concat(
                ALGORITHMS.stream().map(Contestant::label), Stream.of(Form.THREE_LIMITS.label()))
            .toList();
    return Plan.cells().stream()
        .filter(cell -> COLUMNS.contains(cell.section() + cell.column()))
        .filter(cell -> rows.contains(cell.row()))
        .filter(cell -> only.matcher(cell.id()).find())
        .toList();
  }

  /** The launcher changes the directory, so it says where relative paths begin. */
  private CoreJar jar(String name, Path given, Path copy) throws IOException {
    try {
      Path from = Path.of(System.getProperty("stint.bench.from", ""));
      return CoreJar.of(name, from.resolve(given), copy);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private CompareReport compare(List<Cell> cells, int count, CoreJar oldJar, CoreJar newJar)
      throws Exception {
    Pace pace = quick ? new Pace(count, 1, 500, 2, 250) : new Pace(count, 3, 500, 4, 250);
    Environment environment =
        Environment.here(quick, pace.toString(), "G1, heap of 6 GiB, 256 MiB of it young")
            .with("old", oldJar.describe())
            .with("new", newJar.describe());
    Map<Cell, List<Round>> measured = new LinkedHashMap<>();
    for (int round = 0; round < count; round++) {
      for (Cell cell : cells) {
        boolean oldFirst = round % 2 == 0;
        Measurement first = measure(cell, pace, oldFirst ? oldJar : newJar);
        Measurement second = measure(cell, pace, oldFirst ? newJar : oldJar);
        Round both = oldFirst ? new Round(first, second) : new Round(second, first);
        measured.computeIfAbsent(cell, c -> new ArrayList<>()).add(both);
        progress(round + 1, count, cell, both);
      }
    }
    List<Comparison> comparisons = new ArrayList<>();
    measured.forEach((cell, list) -> comparisons.add(new Comparison(cell, list)));
    return new CompareReport(environment, comparisons);
  }

  private static Measurement measure(Cell cell, Pace pace, CoreJar jar) throws Exception {
    return jar.inFront(
        () -> {
          Timing timing = new Timing(cell);
          timing.fork(pace, jar.option(), YOUNG);
          return new Measurement(timing.figure().nanos(), timing.leastBytes());
        });
  }

  private void progress(int round, int count, Cell cell, Round both) {
    terminal.printf(
        Locale.ROOT,
        "%4d s  round %d of %d  %s: %.1f ns, %.1f ns, %.3f%n",
        (System.nanoTime() - begin) / 1_000_000_000,
        round,
        count,
        CompareReport.row(cell),
        both.older().nanos(),
        both.newer().nanos(),
        both.ratio());
  }

  private void write(CompareReport report) throws IOException {
    Files.createDirectories(out);
    Files.writeString(out.resolve("compare.md"), report.markdown());
    Files.writeString(out.resolve("compare.json"), report.json());
    terminal.println();
    terminal.println(report.markdown());
    terminal.println("Written: " + out.resolve("compare.md") + ", " + out.resolve("compare.json"));
  }
}
