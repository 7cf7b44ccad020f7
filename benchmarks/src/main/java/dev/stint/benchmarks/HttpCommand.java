package dev.stint.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures a servlet behind Stint, behind Bucket4j and behind nothing, and reports. */
@Command(
    name = "http",
    description = {
      "Measures a handler that says hello, on Jetty: alone, behind Stint's filter in memory, and"
          + " behind Bucket4j as servlets use it. Requests per second, p99, processor time.",
      "Each server is a process of its own, and they take turns. Writes http.md and http.json, and"
          + " prints the former. Leave the machine alone meanwhile."
    })
final class HttpCommand implements Callable<Integer> {

  private record Pace(int warmups, int rounds, long millis) {
    static final Pace QUICK = new Pace(8, 21, 1_000);
    static final Pace FULL = new Pace(10, 61, 2_000);

    @Override
    public String toString() {
      return "%d × %d ms each in turn, after %d to warm up".formatted(rounds, millis, warmups);
    }
  }

  @Option(names = "--quick", description = "Fewer and shorter rounds: under 2 minutes.")
  private boolean quick;

  @Option(
      names = "--connections",
      description = "Connections that ask at once. Default: ${DEFAULT-VALUE}.")
  private int connections = 4;

  @Option(names = "--keys", description = "Different keys. Default: ${DEFAULT-VALUE}.")
  private int keys = 100_000;

  @Option(
      names = "--out",
      paramLabel = "<dir>",
      description = "Where the results go. Default: ${DEFAULT-VALUE}.")
  private Path out = Path.of("bench-results");

  private final PrintStream terminal = System.out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Pace pace = quick ? Pace.QUICK : Pace.FULL;
    Environment environment = Environment.here(quick, pace.toString(), "G1, 512 MB");
    environment.facts().put("traffic", "%d connections, %,d keys".formatted(connections, keys));
    HttpReport report = new HttpReport(environment, measure(pace));
    Files.createDirectories(out);
    Files.writeString(out.resolve("http.md"), report.markdown());
    Files.writeString(out.resolve("http.json"), report.json());
    terminal.println();
    terminal.println(report.markdown());
    terminal.println("Written: " + out.resolve("http.md") + ", " + out.resolve("http.json"));
    return 0;
  }

  private HttpFigure measure(Pace pace) throws IOException, InterruptedException {
    Map<HttpContestant, HttpServerProcess> servers = new EnumMap<>(HttpContestant.class);
    try {
      for (HttpContestant contestant : HttpContestant.values()) {
        servers.put(contestant, HttpServerProcess.start(contestant));
      }
      HttpFigure figure = new HttpFigure();
      for (int round = -pace.warmups(); round < pace.rounds(); round++) {
        for (Map.Entry<HttpContestant, HttpServerProcess> entry : servers.entrySet()) {
          HttpServerProcess server = entry.getValue();
          long before = server.cpuNanos();
          HttpCallers.Tally tally =
              HttpCallers.ask(server.port(), connections, keys, pace.millis());
          long used = server.cpuNanos() - before;
          if (round >= 0) {
            figure.add(entry.getKey(), tally, used);
          }
          terminal.printf(
              Locale.ROOT,
              "%3d  %-8s %8.0f/s  p99 %7.0f µs  %6.2f µs of processor%n",
              round,
              entry.getKey().label(),
              tally.perSecond(),
              tally.p99Micros(),
              used / 1e3 / tally.requests());
        }
      }
      return figure;
    } finally {
      for (HttpServerProcess server : servers.values()) {
        server.close();
      }
    }
  }
}
