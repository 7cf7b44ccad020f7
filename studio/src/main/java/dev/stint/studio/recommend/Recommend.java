package dev.stint.studio.recommend;

import dev.stint.Limit;
import dev.stint.Spelling;
import dev.stint.studio.cli.ExitCode;
import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.OutputOptions;
import dev.stint.studio.cli.Progress;
import dev.stint.studio.cli.Terminal;
import dev.stint.studio.findings.Findings;
import dev.stint.studio.findings.PolicyYaml;
import dev.stint.studio.log.LogOptions;
import dev.stint.studio.log.Unreadable;
import dev.stint.studio.report.Results;
import dev.stint.studio.trial.Plan;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Proposes limits that suit the traffic of an access log, with their price. */
@Command(
    name = "recommend",
    headerHeading = "Example: stint recommend access.log.gz --by ip%n%n",
    description = "Proposes limits that suit the traffic of an access log, with their price.",
    exitCodeListHeading = ExitCode.HEADING,
    exitCodeList = {
      ExitCode.LIST_FINE,
      ExitCode.LIST_FAILED,
      ExitCode.LIST_MISUSED,
      ExitCode.LIST_UNREADABLE,
      ExitCode.LIST_INTERRUPTED
    },
    mixinStandardHelpOptions = true)
public final class Recommend implements Callable<Integer> {

  /** Where requests come from. */
  interface Logs {
    Log open(LogOptions options, Interruption interruption) throws Unreadable;
  }

  private final Terminal terminal;
  private final Interruption interruption;
  private final Logs logs;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private LogOptions options = new LogOptions();

  @Mixin private OutputOptions output = new OutputOptions();

  @Option(
      names = "--share",
      paramLabel = "PERCENT",
      defaultValue = "99.9",
      description = "How many of a hundred clients must never notice (default: ${DEFAULT-VALUE}).")
  private String percent = "99.9";

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      defaultValue = Proposals.USUAL_ALGORITHM,
      completionCandidates = Plan.Kinds.class,
      description = "The algorithm of the limits (default: ${DEFAULT-VALUE}).")
  private String algorithm = Proposals.USUAL_ALGORITHM;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = "default",
      description = "What the policy is called (default: ${DEFAULT-VALUE}).")
  private String policy = "default";

  /** A command that draws on {@code terminal} and ends early if it is interrupted. */
  public Recommend(Terminal terminal, Interruption interruption) {
    this(
        terminal,
        interruption,
        (options, interrupted) -> LogFile.of(options, System.in, interrupted));
  }

  Recommend(Terminal terminal, Interruption interruption, Logs logs) {
    this.terminal = terminal;
    this.interruption = interruption;
    this.logs = logs;
  }

  @Override
  public Integer call() {
    checkOptions();
    interruption.watch();
    PrintWriter err = spec.commandLine().getErr();
    Findings findings;
    interruption.nothingYet();
    try (Log log = logs.open(options, interruption)) {
      interruption.something();
      findings = find(log);
    } catch (Unreadable e) {
      err.println(spec.qualifiedName() + ": " + e.getMessage());
      return ExitCode.UNREADABLE;
    } catch (IllegalArgumentException e) {
      // Clients use more than a limit of this algorithm can be.
      throw wrong("--algorithm " + algorithm + ": " + e.getMessage());
    }
    return Results.print(findings, output, terminal, spec);
  }

  private BigDecimal share() {
    try {
      BigDecimal share = new BigDecimal(percent);
      if (share.signum() > 0 && share.compareTo(BigDecimal.valueOf(100)) <= 0) {
        return share;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw wrong("--share must be more than 0 and at most 100, such as 99.9: " + percent);
  }

  private void checkOptions() {
    BigDecimal unusedShare = share();
    List<String> words = Plan.words().stream().filter(word -> !word.equals(Plan.ALL)).toList();
    if (!words.contains(algorithm)) {
      throw wrong(
          "--algorithm must be one of "
              + String.join(", ", words)
              + ": '"
              + algorithm
              + "'"
              + Spelling.hint(algorithm, words, ""));
    }
    try {
      String unused = PolicyYaml.inShadow(policy, List.of(Limit.parse("1/second")));
    } catch (IllegalArgumentException e) {
      throw wrong("--policy: " + e.getMessage());
    }
  }

  private ParameterException wrong(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }

  private Findings find(Log log) throws Unreadable {
    Recommendation recommendation =
        new Recommendation(log, share(), algorithm, interruption, this::progress);
    return recommendation.find(policy, this::say);
  }

  private Progress progress() {
    return new Progress(spec.commandLine().getErr(), terminal.errorColumns(), "lines");
  }

  private void say(String sentence) {
    spec.commandLine().getErr().println(sentence);
  }
}
