package dev.stint.studio.replay;

import dev.stint.Limit;
import dev.stint.studio.cli.ExitCode;
import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.OutputOptions;
import dev.stint.studio.cli.Progress;
import dev.stint.studio.cli.Rates;
import dev.stint.studio.cli.Terminal;
import dev.stint.studio.findings.Findings;
import dev.stint.studio.log.LogOptions;
import dev.stint.studio.log.LogReader;
import dev.stint.studio.log.Unreadable;
import dev.stint.studio.report.Results;
import dev.stint.studio.trial.Plan;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Sends the traffic of an access log through limits and shows what they would have refused. */
@Command(
    name = "replay",
    headerHeading =
        "Example: stint replay access.log.gz --by ip --limit 100/min --algorithm all%n%n",
    description = {
      "Sends the traffic of an access log through limits and shows what they would have refused.",
      "",
      "'Unneeded' are refusals that an exact sliding log would not have made; the worst second and"
          + " minute are of all clients together."
    },
    exitCodeListHeading = ExitCode.HEADING,
    exitCodeList = {
      ExitCode.LIST_FINE,
      ExitCode.LIST_FAILED,
      ExitCode.LIST_MISUSED,
      ExitCode.LIST_UNREADABLE,
      ExitCode.LIST_INTERRUPTED
    },
    mixinStandardHelpOptions = true)
public final class Replay implements Callable<Integer> {

  private static final int MOST_TOP = 1000;

  private final Terminal terminal;
  private final Interruption interruption;
  private final InputStream standardInput;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--limit",
      required = true,
      paramLabel = "RATE",
      description =
          "Required. A limit, such as 100/min or '20/s; 1000/h'; may be given several times, and then all"
              + " hold together.")
  private List<String> rates = new ArrayList<>();

  @Option(
      names = "--algorithm",
      split = ",",
      paramLabel = "NAME",
      completionCandidates = Plan.Words.class,
      description =
          "Try the limits with other algorithms: all, or some of fixed-window,"
              + " fixed-window-per-key, sliding-log, sliding-counter, token-bucket, leaky-bucket"
              + " (default: as the limits say).")
  private List<String> algorithms = new ArrayList<>();

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "Name so many of those who were refused most (default: ${DEFAULT-VALUE}).")
  private int top = 10;

  @Option(names = "--threads", hidden = true)
  private int threads = Math.min(8, Runtime.getRuntime().availableProcessors());

  @Mixin private LogOptions log = new LogOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  /** A command that draws on {@code terminal} and ends early if it is interrupted. */
  public Replay(Terminal terminal, Interruption interruption) {
    this(terminal, interruption, System.in);
  }

  Replay(Terminal terminal, Interruption interruption, InputStream standardInput) {
    this.terminal = terminal;
    this.interruption = interruption;
    this.standardInput = standardInput;
  }

  @Override
  public Integer call() {
    interruption.watch();
    List<Plan> plans = plans();
    PrintWriter err = spec.commandLine().getErr();
    interruption.nothingYet();
    try (LogReader reader = LogReader.open(log, standardInput)) {
      interruption.something();
      err.println(reader.recognised());
      err.flush();
      return Results.print(replayed(reader, plans), output, terminal, spec);
    } catch (Unreadable e) {
      err.println(spec.qualifiedName() + ": " + e.getMessage());
      return ExitCode.UNREADABLE;
    }
  }

  private List<Plan> plans() {
    if (top < 0 || top > MOST_TOP) {
      throw wrong("--top must be from 0 to " + MOST_TOP + ": " + top);
    }
    if (threads < 1) {
      throw wrong("--threads must be at least 1: " + threads);
    }
    try {
      List<Limit> limits = Rates.parse(rates);
      return Plan.of(limits, algorithms);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException wrong(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }

  private Findings replayed(LogReader reader, List<Plan> plans) throws Unreadable {
    boolean inFull = output.json() || output.html().isPresent();
    PrintWriter err = spec.commandLine().getErr();
    try (Course course = new Course(plans, inFull, threads)) {
      try (Progress progress = new Progress(err, terminal.errorColumns(), "lines")) {
        reader.read(course, progress, interruption);
      }
      return course.findings(reader, top, interruption.isWanted());
    }
  }
}
