package dev.stint.studio.demo;

import dev.stint.Limit;
import dev.stint.studio.cli.Ink;
import dev.stint.studio.cli.Terminal;
import dev.stint.studio.trial.Plan;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Draws what each algorithm makes of the same traffic. */
@Command(
    name = "demo",
    description = {
      "Draws what each algorithm makes of the same traffic.",
      "",
      "Every lane is a real limiter in virtual time. Its upper row shows what was admitted as bars, its"
          + " lower row what was refused as crosses. Beside them are the totals, and the most that was"
          + " admitted in any second and in any minute; a ! marks more than the limit in one window."
    },
    mixinStandardHelpOptions = true)
public final class Demo implements Runnable {

  private static final long MOST = 10_000;
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final int WIDEST = 120;
  private static final int MOST_COLUMNS = 500;

  /** When to use colours. */
  enum Colour {
    auto,
    always,
    never
  }

  private final Terminal terminal;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--limit",
      paramLabel = "RATE",
      defaultValue = "100/minute",
      converter = Rate.class,
      description = {
        "The amount and window to try, such as 20/second or '1000/hour burst 50' (default: ${DEFAULT-VALUE})."
      })
  private Limit limit = Limit.tokenBucket(1, SHORTEST);

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "edge,steady,attacker",
      converter = Name.class,
      description = "Which traffic to send: ${DEFAULT-VALUE} (default: all).")
  private List<Scenario> scenarios = List.of();

  @Option(
      names = "--width",
      paramLabel = "COLUMNS",
      description = "How wide to draw (default: the terminal's width, at most " + WIDEST + ").")
  private @Nullable Integer width;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      defaultValue = "auto",
      description =
          "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}: on a terminal, unless NO_COLOR is set).")
  private Colour colour = Colour.auto;

  @Option(names = "--ascii", description = "Draw with ASCII characters only.")
  private boolean ascii;

  public Demo(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    List<Limit> limits = everyAlgorithm();
    Ink ink =
        new Ink(colour == Colour.always || (colour == Colour.auto && terminal.hasColour()), ascii);
    int columns = columns();
    PrintWriter out = spec.commandLine().getOut();
    out.println(ink.title("Limit: " + limit));
    out.println(ink.legend());
    for (Scenario scenario : scenarios) {
      long[] traffic = scenario.traffic(limit.amount(), micros(limit.window())).toArray();
      List<Lane> lanes = limits.stream().map(one -> Lane.replay(one, traffic)).toList();
      out.println();
      out.print(Picture.of(ink, columns, scenario, traffic, lanes));
    }
  }

  /** The limit in each of the six algorithms. */
  private List<Limit> everyAlgorithm() {
    long amount = limit.amount();
    Duration window = limit.window();
    if (limit.kind() != Limit.Kind.TOKEN_BUCKET || !limit.name().isEmpty()) {
      throw wrong(
          "--limit must be an amount and a window, without an algorithm or a name: " + limit);
    }
    if (amount > MOST) {
      throw wrong(
          "--limit must be at most " + MOST + " a window, or drawing takes long: " + amount);
    }
    if (window.compareTo(SHORTEST) < 0 || window.compareTo(LONGEST) > 0) {
      throw wrong("--limit must have a window from 1 millisecond to 1 year: " + limit);
    }
    return Plan.of(List.of(limit), List.of(Plan.ALL)).stream()
        .map(plan -> plan.limits().get(0))
        .toList();
  }

  private int columns() {
    int least = Picture.LEAST_WIDTH;
    if (width == null) {
      return Math.max(least, Math.min(terminal.columns(), WIDEST));
    }
    if (width < least || width > MOST_COLUMNS) {
      throw wrong("--width must be from " + least + " to " + MOST_COLUMNS + ": " + width);
    }
    return width;
  }

  private static long micros(Duration window) {
    return window.toNanos() / 1000;
  }

  private ParameterException wrong(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }

  /** Reads a rate string. */
  static final class Rate implements ITypeConverter<Limit> {
    @Override
    public Limit convert(String text) {
      try {
        return Limit.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }

  /** Reads the name of a scenario. */
  static final class Name implements ITypeConverter<Scenario> {
    @Override
    public Scenario convert(String text) {
      try {
        return Scenario.of(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
