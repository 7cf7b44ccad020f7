package dev.stint.benchmarks.server;

import dev.stint.benchmarks.Environment;
import dev.stint.benchmarks.server.Rounds.Round;
import dev.stint.benchmarks.server.ServerComparison.Row;
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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares two builds of the service and reports. */
@Command(
    name = "compare-server",
    description = {
      "Compares two builds of the service over HTTP, gRPC and RESP: answers per second, processor"
          + " time per request, and latencies at half of the highest rate, in alternating order.",
      "Both services run in memory, each in a JVM of its own. Writes compare-server.md and"
          + " compare-server.json, and prints the former."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class CompareServerCommand implements Callable<Integer> {

  static final int ROUNDS = 7;
  static final int QUICK_ROUNDS = 3;

  private static final List<String> WIRES =
      List.of("http-pipelined", "http", "grpc", "resp-pipelined", "resp");

  private static final int WARM_UPS = 5;

  /** On a busy machine the first rounds alone do not reach what the compiler takes to settle. */
  private static final long WARM_REQUESTS = 60_000;

  private static final int MOST_WARM_UPS = 40;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "OLD.jar", description = "The service to compare with.")
  private Path older;

  @Parameters(index = "1", paramLabel = "NEW.jar", description = "The service to judge.")
  private Path newer;

  @Option(
      names = "--rounds",
      paramLabel = "<n>",
      description =
          "How often each wire is measured with each jar. Default: "
              + ROUNDS
              + ", quick "
              + QUICK_ROUNDS
              + ".")
  private @Nullable Integer rounds;

  @Option(names = "--quick", description = "Fewer rounds, for a first look.")
  private boolean quick;

  @Option(names = "--millis", description = "Length of a round. Default: ${DEFAULT-VALUE}.")
  private long millis = 1_500;

  @Option(
      names = "--only",
      paramLabel = "<regex>",
      description =
          "Only wires whose id matches: http-pipelined, http, grpc, resp-pipelined, resp.")
  private Pattern only = Pattern.compile("");

  @Option(names = "--connections", description = "As for server. Default: ${DEFAULT-VALUE}.")
  private int connections = 32;

  @Option(names = "--keys", description = "Different keys. Default: ${DEFAULT-VALUE}.")
  private int keys = 100_000;

  @Option(
      names = "--out",
      paramLabel = "<dir>",
      description = "Where the results go. Default: ${DEFAULT-VALUE}.")
  private Path out = Path.of("bench-results");

  private final PrintStream terminal = System.out;
  private final long begin = System.nanoTime();

  @Override
  public Integer call() throws IOException, InterruptedException {
    int count = rounds();
    List<String> wires = WIRES.stream().filter(wire -> only.matcher(wire).find()).toList();
    if (wires.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--only must match the id of a wire: " + only + " matches none");
    }
    Path oldJar = jar("OLD.jar", older);
    Path newJar = jar("NEW.jar", newer);
    Environment environment =
        Environment.here(
            quick,
            "%d × %d ms each in alternating order, after %d to %d to warm up"
                .formatted(count, millis, WARM_UPS, MOST_WARM_UPS),
            String.join(" ", ServerProcess.FLAGS));
    Map<String, String> facts = environment.facts();
    facts.put("old", older.toString());
    facts.put("new", newer.toString());
    Load load = new Load();
    List<Row> rows = new ArrayList<>();
    try (Servers oldServers = new Servers(oldJar);
        Servers newServers = new Servers(newJar)) {
      Contests oldContests = new Contests(oldServers, connections, keys);
      Contests newContests = new Contests(newServers, connections, keys);
      for (String wire : wires) {
        rows.add(measure(wire, oldContests.stint(wire), newContests.stint(wire), count));
      }
    }
    facts.put("load", load.sofar());
    write(new ServerComparison(environment, rows));
    return 0;
  }

  private int rounds() {
    int count = rounds == null ? (quick ? QUICK_ROUNDS : ROUNDS) : rounds;
    if (count < 1) {
      throw new ParameterException(spec.commandLine(), "--rounds must be at least 1: " + count);
    }
    return count;
  }

  /** The launcher changes the directory, so it says where relative paths begin. */
  private Path jar(String name, Path given) {
    Path jar = Path.of(System.getProperty("stint.bench.from", "")).resolve(given);
    if (!Files.isRegularFile(jar)) {
      throw new ParameterException(
          spec.commandLine(), name + " must be a jar of the service: " + given + " is not a file");
    }
    return jar;
  }

  private Row measure(String wire, Contestant oldOne, Contestant newOne, int count)
      throws IOException, InterruptedException {
    warmUp(wire, oldOne);
    warmUp(wire, newOne);
    Rounds closed = alternate(wire, oldOne, newOne, 1, count, c -> c.closed(millis));
    double half =
        Figures.HALF
            * Math.min(
                closed.of(ServerComparison.OLD, Round::perSecond).median(),
                closed.of(ServerComparison.NEW, Round::perSecond).median());
    Rounds open = alternate(wire, oldOne, newOne, 1, count, c -> c.open(half, millis));
    Row row = new Row(wire, closed, half, open);
    terminal.printf(
        Locale.ROOT,
        "%4d s  %s: %.0f/s, %.0f/s, ratio %.3f; p99 %.0f µs, %.0f µs at %.0f/s%n",
        (System.nanoTime() - begin) / 1_000_000_000,
        wire,
        closed.of(ServerComparison.OLD, Round::perSecond).median(),
        closed.of(ServerComparison.NEW, Round::perSecond).median(),
        row.throughput().median(),
        open.of(ServerComparison.OLD, Round::p99Micros).median(),
        open.of(ServerComparison.NEW, Round::p99Micros).median(),
        half);
    return row;
  }

  private void warmUp(String wire, Contestant contestant) throws IOException, InterruptedException {
    long answered = 0;
    for (int i = 0; i < MOST_WARM_UPS && (i < WARM_UPS || answered < WARM_REQUESTS); i++) {
      answered += timed(wire, contestant, c -> c.closed(millis)).requests();
    }
  }

  private interface Turn {
    Tally ask(Contestant.Asking asking) throws IOException, InterruptedException;
  }

  /** Which of the two goes first changes with every round. */
  private static Rounds alternate(
      String wire, Contestant oldOne, Contestant newOne, int warmUps, int count, Turn turn)
      throws IOException, InterruptedException {
    Rounds rounds = new Rounds();
    for (int round = -warmUps; round < count; round++) {
      boolean oldFirst = round % 2 == 0;
      Round first = timed(wire, oldFirst ? oldOne : newOne, turn);
      Round second = timed(wire, oldFirst ? newOne : oldOne, turn);
      if (round >= 0) {
        rounds.add(ServerComparison.OLD, oldFirst ? first : second);
        rounds.add(ServerComparison.NEW, oldFirst ? second : first);
      }
    }
    return rounds;
  }

  private static Round timed(String wire, Contestant contestant, Turn turn)
      throws IOException, InterruptedException {
    long pid = contestant.pid().orElseThrow();
    double before = Proc.cpuSeconds(pid);
    Tally tally = turn.ask(contestant.asking()).checked(wire + ",");
    return Round.of(tally, Proc.cpuSeconds(pid) - before);
  }

  private void write(ServerComparison report) throws IOException {
    Files.createDirectories(out);
    Files.writeString(out.resolve("compare-server.md"), report.markdown());
    Files.writeString(out.resolve("compare-server.json"), report.json());
    terminal.println();
    terminal.println(report.markdown());
    terminal.println(
        "Written: " + out.resolve("compare-server.md") + ", " + out.resolve("compare-server.json"));
  }
}
