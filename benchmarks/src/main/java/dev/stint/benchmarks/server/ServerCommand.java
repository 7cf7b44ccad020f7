package dev.stint.benchmarks.server;

import dev.stint.benchmarks.Environment;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the service beside its floors and reports. */
@Command(
    name = "server",
    description = {
      "Measures the service over HTTP, gRPC and RESP beside the same libraries answering a"
          + " constant, and beside Redis: answers per second, latencies at fixed rates, memory, the"
          + " first answer.",
      "Every server is a process of its own, and they take turns. Writes server.md and server.json,"
          + " and prints the former. Leave the machine alone meanwhile."
    })
public final class ServerCommand implements Callable<Integer> {

  private static final String MEMORY = "memory";
  private static final String FIRST_ANSWER = "first-answer";
  private static final String ALLOCATIONS = "allocations";

  @Option(names = "--quick", description = "Fewer and shorter rounds: under 5 minutes.")
  private boolean quick;

  @Option(
      names = "--trial",
      description = "One short round of each, to see that it runs; its figures mean nothing.")
  private boolean trial;

  @Option(
      names = "--only",
      paramLabel = "<regex>",
      description = "Only what has a match of this in its id; see --list.")
  private Pattern only = Pattern.compile("");

  @Option(names = "--list", description = "Print the ids of what would be measured, and end.")
  private boolean list;

  @Option(
      names = "--connections",
      description =
          "Connections with one request under way; an eighth of them have 16. Default:"
              + " ${DEFAULT-VALUE}.")
  private int connections = 32;

  @Option(names = "--keys", description = "Different keys. Default: ${DEFAULT-VALUE}.")
  private int keys = 100_000;

  @Option(
      names = "--service",
      paramLabel = "<jar>",
      description = "The service. Default: ${DEFAULT-VALUE}.")
  private Path service = Path.of("server", "target", "stint.jar");

  @Option(
      names = "--out",
      paramLabel = "<dir>",
      description = "Where the results go. Default: ${DEFAULT-VALUE}.")
  private Path out = Path.of("bench-results");

  private final PrintStream terminal = System.out;
  private final long begin = System.nanoTime();

  private ServerCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Race.Pace pace = trial ? Race.Pace.TRIAL : quick ? Race.Pace.QUICK : Race.Pace.FULL;
    Environment environment =
        Environment.here(quick || trial, pace.toString(), String.join(" ", ServerProcess.FLAGS));
    Map<String, String> facts = environment.facts();
    facts.put(
        "traffic",
        String.format(
            Locale.ROOT,
            "%d connections, or %d with %d under way on each; %,d keys",
            connections,
            Math.max(1, connections / 8),
            Contests.DEPTH,
            keys));
    Figures figures = new Figures(environment);
    Load load = new Load();
    try (Servers servers = new Servers(service)) {
      Contests contests = new Contests(servers, connections, keys);
      if (list) {
        ids(contests).stream().filter(this::chosen).forEach(terminal::println);
        return 0;
      }
      measure(pace, servers, contests, figures);
    }
    facts.put("load", load.sofar());
    write(new ServerReport(figures));
    return 0;
  }

  private static List<String> ids(Contests contests) {
    List<String> ids = new ArrayList<>(contests.all().keySet());
    ids.addAll(List.of(ALLOCATIONS, MEMORY, FIRST_ANSWER));
    return ids;
  }

  private boolean chosen(String id) {
    return only.matcher(id).find();
  }

  private void measure(Race.Pace pace, Servers servers, Contests contests, Figures figures)
      throws IOException, InterruptedException {
    Race race = new Race(pace, this::progress);
    for (Map.Entry<String, Contests.Making> entry : contests.all().entrySet()) {
      if (chosen(entry.getKey())) {
        Figures.Throughput throughput = race.closed(entry.getValue().make());
        figures.throughput().add(throughput);
        if (throughput.contest().atFixedRates()) {
          figures.latencies().addAll(race.open(throughput));
        }
      }
    }
    Probes probes = new Probes(servers, contests);
    if (chosen(ALLOCATIONS)) {
      progress(ALLOCATIONS);
      figures.allocations().addAll(probes.allocations());
    }
    if (chosen(MEMORY)) {
      progress(MEMORY);
      figures.memory(probes.memory());
    }
    if (chosen(FIRST_ANSWER)) {
      progress(FIRST_ANSWER);
      figures.firstAnswer(probes.firstAnswer(pace.starts()));
    }
  }

  private void progress(String what) {
    long seconds = (System.nanoTime() - begin) / 1_000_000_000;
    terminal.printf(Locale.ROOT, "%4d s  %s%n", seconds, what);
  }

  private void write(ServerReport report) throws IOException {
    Files.createDirectories(out);
    Files.writeString(out.resolve("server.md"), report.markdown());
    Files.writeString(out.resolve("server.json"), report.json());
    terminal.println();
    terminal.println(report.markdown());
    terminal.println("Written: " + out.resolve("server.md") + ", " + out.resolve("server.json"));
  }
}
