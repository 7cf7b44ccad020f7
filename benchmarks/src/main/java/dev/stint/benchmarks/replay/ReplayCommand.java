package dev.stint.benchmarks.replay;

import dev.stint.benchmarks.Environment;
import dev.stint.benchmarks.Json;
import dev.stint.benchmarks.MarkdownTable;
import dev.stint.benchmarks.Report;
import dev.stint.benchmarks.Target;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the replay of a long log and reports. */
@Command(
    name = "replay",
    description = {
      "Makes up a log of ten million lines from a million clients, and has stint replay it, twice"
          + " plain and twice packed, in processes of their own: lines per second, heap, and whether"
          + " both print the same.",
      "Writes replay.md and replay.json, and prints the former. Leave the machine alone meanwhile."
    })
public final class ReplayCommand implements Callable<Integer> {

  private static final double LINES_PER_SECOND = 500_000;
  private static final double HEAP = 512;
  private static final int TIMES = 2;

  @Option(names = "--quick", description = "A tenth of the lines and clients.")
  private boolean quick;

  @Option(
      names = "--service",
      paramLabel = "<jar>",
      description = "The program. Default: ${DEFAULT-VALUE}.")
  private Path service = Path.of("server", "target", "stint.jar");

  @Option(
      names = "--options",
      paramLabel = "<file>",
      description = "The options of its JVM. Default: ${DEFAULT-VALUE}.")
  private Path options = Path.of("bin", "studio.options");

  @Option(
      names = "--out",
      paramLabel = "<dir>",
      description = "Where the results go. Default: ${DEFAULT-VALUE}.")
  private Path out = Path.of("bench-results");

  private final PrintStream terminal = System.out;
  private final List<Target> targets = new ArrayList<>();
  private final MarkdownTable table = new MarkdownTable("log");

  private ReplayCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    int lines = quick ? 1_000_000 : 10_000_000;
    int clients = lines / 10;
    Environment environment =
        Environment.here(
            quick,
            String.format(Locale.ROOT, "%,d lines, %,d clients", lines, clients),
            String.join(
                " ",
                Files.readAllLines(options).stream().filter(o -> o.startsWith("-X")).toList()));
    Path folder = Files.createTempDirectory("bench-replay");
    try {
      for (boolean packed : new boolean[] {false, true}) {
        Path log = folder.resolve(packed ? "access.log.gz" : "access.log");
        terminal.println("making " + log.getFileName());
        new MadeUpLog(lines, clients).write(log, packed);
        measure(log, lines);
        Files.delete(log);
      }
    } finally {
      for (String left : List.of("access.log", "access.log.gz")) {
        Files.deleteIfExists(folder.resolve(left));
      }
      Files.delete(folder);
    }
    write(environment);
    return 0;
  }

  private void measure(Path log, int lines) throws IOException, InterruptedException {
    String name = String.valueOf(log.getFileName());
    List<ReplayRun> runs = new ArrayList<>();
    for (int i = 1; i <= TIMES; i++) {
      terminal.println("replaying " + name + ", " + i + " of " + TIMES);
      ReplayRun run = ReplayRun.of(service, options, log);
      runs.add(run);
      table
          .put(name + ", " + i, "lines per second", number("%,.0f", lines / run.seconds()))
          .put(name + ", " + i, "seconds", number("%.1f", run.seconds()))
          .put(name + ", " + i, "heap, MB", number("%.0f", run.heap()));
    }
    double slowest = runs.stream().mapToDouble(ReplayRun::seconds).max().orElseThrow();
    double heap = runs.stream().mapToDouble(ReplayRun::heap).max().orElseThrow();
    boolean same = runs.stream().map(ReplayRun::output).distinct().count() == 1;
    targets.add(
        Target.atLeast(
            name + ": lines per second", LINES_PER_SECOND, Optional.of(lines / slowest), "%,.0f"));
    targets.add(Target.atMost(name + ": heap, MB", HEAP, Optional.of(heap), "%.0f"));
    targets.add(
        new Target(
            name + ": both print",
            "the same",
            Optional.of(same ? "the same" : "two things"),
            same));
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private void write(Environment environment) throws IOException {
    StringBuilder text = new StringBuilder("# The replay of a long log\n\n");
    environment.facts().forEach((k, v) -> text.append("- %s: %s%n".formatted(k, v)));
    Report.section(text, "Targets", "", Report.targets(targets));
    Report.section(text, "Runs", "The start of the JVM is in the seconds.", table);
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("environment", environment.facts());
    all.put("targets", Report.json(targets));
    Files.createDirectories(out);
    Files.writeString(out.resolve("replay.md"), text);
    Files.writeString(out.resolve("replay.json"), Json.write(all));
    terminal.println();
    terminal.println(text);
    terminal.println("Written: " + out.resolve("replay.md") + ", " + out.resolve("replay.json"));
  }
}
