package dev.stint.studio.simulate;

import dev.stint.Limit;
import dev.stint.studio.cli.ExitCode;
import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.OutputOptions;
import dev.stint.studio.cli.Progress;
import dev.stint.studio.cli.Rates;
import dev.stint.studio.cli.Span;
import dev.stint.studio.cli.Terminal;
import dev.stint.studio.findings.Findings;
import dev.stint.studio.findings.Lanes;
import dev.stint.studio.findings.PolicyYaml;
import dev.stint.studio.findings.Verdict;
import dev.stint.studio.log.Unreadable;
import dev.stint.studio.report.Results;
import dev.stint.studio.trial.Plan;
import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Sends made-up traffic through limits and shows what each algorithm makes of it. */
@Command(
    name = "simulate",
    headerHeading = "Example: stint simulate --limit 100/min --traffic humans+attacker:window%n%n",
    description = {
      "Sends made-up traffic through limits and shows what each algorithm makes of it.",
      "",
      "Every algorithm is a real limiter in virtual time. 'Unneeded' are refusals that an exact sliding"
          + " log would not have made; the worst second and minute are of all clients together."
    },
    customSynopsis = "stint simulate --limit=RATE --traffic=KIND [OPTION...]",
    exitCodeListHeading = ExitCode.HEADING,
    exitCodeList = {
      ExitCode.LIST_FINE,
      ExitCode.LIST_FAILED,
      ExitCode.LIST_MISUSED,
      ExitCode.LIST_UNREADABLE,
      ExitCode.LIST_INTERRUPTED
    },
    mixinStandardHelpOptions = true)
public final class Simulate implements Callable<Integer> {

  private final Terminal terminal;
  private final Interruption interruption;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--limit",
      paramLabel = "RATE",
      description = {
        "Required. What to try, such as 100/min or '100/min burst 20'. Several, separated by ; or given again, are"
            + " decided together."
      })
  private List<String> rates = List.of();

  @Option(
      names = "--traffic",
      paramLabel = "KIND",
      completionCandidates = Traffic.Candidates.class,
      description = {
        "Required. steady:90/min, poisson:100/min, burst:200@boundary (around each edge of the first limit's"
            + " windows), burst:200@3s, attacker:window, humans or humans:50, retry-herd (workers of one"
            + " key that come back when told to), flash-sale, trace:FILE (lines of TIME KEY [COST]);"
            + " several with a + between them."
      })
  private @Nullable String kind;

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      split = ",",
      completionCandidates = Plan.Words.class,
      description = {
        "One, several with a comma between them, or all (default: all, if no limit names one)."
      })
  private List<String> algorithms = List.of();

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      description = "How long, such as 90s or 1h30min (default: 6 windows, a minute at least).")
  private @Nullable String length;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description =
          "What random traffic is made from; the same again gives the same again (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--start",
      paramLabel = "INSTANT",
      description = "When it begins, such as 2026-01-01T00:00:30Z (default: where a window does).")
  private @Nullable String from;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "How many of those who were refused most are named (default: ${DEFAULT-VALUE}).")
  private int top;

  @Option(
      names = "--decisions",
      description = {
        "Print every decision as a line of JSON in place of the rest: microseconds since the start, key,"
            + " cost, and what was answered; null for a time that never comes."
      })
  private boolean decisions;

  @Option(names = "--table", hidden = true, description = "Print the table of the README.")
  private boolean table;

  @Mixin private OutputOptions output = new OutputOptions();

  /** A command that draws on {@code terminal} and ends early if it is interrupted. */
  public Simulate(Terminal terminal, Interruption interruption) {
    this.terminal = terminal;
    this.interruption = interruption;
  }

  @Override
  public Integer call() {
    interruption.watch();
    try {
      if (table) {
        out().print(ChoiceTable.make());
        out().flush();
        return ExitCode.FINE;
      }
      return simulate();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    } catch (Unreadable e) {
      return complain(ExitCode.UNREADABLE, String.valueOf(e.getMessage()));
    }
  }

  private int simulate() throws Unreadable {
    if (rates.isEmpty() || kind == null) {
      throw new IllegalArgumentException(
          rates.isEmpty()
              ? "--limit must be given, such as --limit 100/min"
              : "--traffic must be given, such as --traffic humans+attacker:window");
    }
    if (top < 0) {
      throw new IllegalArgumentException("--top must be 0 or more: " + top);
    }
    String rate = String.join("; ", rates);
    List<Limit> limits = Rates.parse(rates);
    List<Plan> plans = Plan.of(limits, algorithms(rate, limits));
    Traffic traffic = Traffic.parse(kind);
    if (!decisions) {
      traffic.checkSums();
    }
    Setting setting = setting(traffic, limits);
    boolean told = output.json() || output.html().isPresent();
    List<Long> spans = told ? spans(limits) : List.of();
    try (Simulation simulation =
        new Simulation(traffic, setting, seed, plans, spans, interruption)) {
      if (decisions) {
        Decisions lines = new Decisions(out());
        run(simulation, lines);
        lines.end();
        out().flush();
        return interruption.isWanted() ? ExitCode.INTERRUPTED : ExitCode.FINE;
      }
      run(simulation, (request, trial) -> {});
      return Results.print(findings(simulation, traffic, limits), output, terminal, spec);
    }
  }

  // What is tried

  private List<String> algorithms(String rate, List<Limit> limits) {
    String bucket = Limit.Kind.TOKEN_BUCKET.word();
    boolean named =
        limits.stream().anyMatch(limit -> limit.kind() != Limit.Kind.TOKEN_BUCKET)
            || rate.contains(bucket);
    return algorithms.isEmpty() && !named ? List.of(Plan.ALL) : algorithms;
  }

  private Setting setting(Traffic traffic, List<Limit> limits) {
    long window = micros(limits.get(0));
    if (traffic.timesWindows() && window == 0) {
      throw new IllegalArgumentException(
          "this traffic is timed by the first limit's window, and a quota has none; put another"
              + " limit first: "
              + limits.get(0));
    }
    long longest = limits.stream().mapToLong(Simulate::micros).max().orElse(0);
    long start = start(traffic, longest);
    long duration =
        length == null
            ? traffic.length(start).orElse(Math.max(Setting.WINDOWS * longest, Span.MINUTE))
            : Length.parse("--duration", length);
    if (duration < 1) {
      throw new IllegalArgumentException("--duration must be longer than nothing: " + length);
    }
    return new Setting(start, duration, limits.get(0).amount(), window);
  }

  private long start(Traffic traffic, long window) {
    if (from == null) {
      return traffic.firstInstant().orElse(Setting.startOf(window));
    }
    try {
      return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(from));
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "--start must be an instant such as 2026-01-01T00:00:30Z: '" + from + "'", e);
    }
  }

  private static List<Long> spans(List<Limit> limits) {
    return LongStream.concat(
            limits.stream().mapToLong(Simulate::micros).filter(window -> window > 0),
            LongStream.of(Span.SECOND, 10 * Span.SECOND, Span.MINUTE, 60 * Span.MINUTE))
        .distinct()
        .boxed()
        .toList();
  }

  /** The window of a limit; 0 for a quota. */
  private static long micros(Limit limit) {
    return limit.kind() == Limit.Kind.QUOTA ? 0 : Decisions.micros(limit.window(), 0);
  }

  private void run(Simulation simulation, Simulation.Observer observer) {
    try (Progress progress = new Progress(err(), terminal.errorColumns(), "requests")) {
      simulation.run(observer, progress);
    }
  }

  // What is told

  private Findings findings(Simulation simulation, Traffic traffic, List<Limit> limits) {
    // Where every plan got other requests, the most that one of them got.
    Simulation.Run busiest = simulation.runs().get(0);
    List<Findings.Lane> lanes = new ArrayList<>();
    for (Simulation.Run run : simulation.runs()) {
      lanes.addAll(Lanes.of(run.trials(), run.names()::get, top));
      busiest = run.trials().requests() > busiest.trials().requests() ? run : busiest;
    }
    long requests = busiest.trials().requests();
    return new Findings(
        "simulate",
        new Findings.Source(
            traffic.toString(),
            "simulated",
            "key",
            requests,
            0,
            0,
            Optional.of(seed),
            notes(traffic, limits)),
        requests,
        busiest.names().size(),
        busiest.trials().arrivedOverTime(),
        lanes,
        busiest.trials().distributions(),
        List.of(),
        Verdict.of(lanes, requests, busiest.names().size()),
        PolicyYaml.ofClosest(lanes),
        interruption.isWanted());
  }

  private static List<String> notes(Traffic traffic, List<Limit> limits) {
    List<String> notes = new ArrayList<>();
    if (traffic.listens()) {
      notes.add(
          "clients come back when they are told to, so every algorithm gets other requests;"
              + " arrivals are those of the one that got most");
    }
    if (traffic.timesWindows() && limits.size() > 1) {
      notes.add("traffic is timed by the first limit, " + limits.get(0));
    }
    if (!Plan.of(limits).hasExact()) {
      notes.add("there is no exact log of so large a limit, so nothing is measured by one");
    }
    return notes;
  }

  private int complain(int code, String sentence) {
    err().println(spec.qualifiedName() + ": " + sentence);
    return code;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
