package dev.stint.server.inspect;

import dev.stint.studio.cli.ExitCode;
import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code stint top}: the busiest and most refused keys of a running service. */
@Command(
    name = "top",
    header = {"Example: stint top", ""},
    description =
        "Shows the busiest and the most refused keys of a running service: on a terminal again and"
            + " again until Ctrl-C, else once.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:they are shown",
      "1:the service cannot be asked",
      "2:it was called wrongly",
      "130:it was told to stop"
    })
public final class Top implements Callable<Integer> {

  private static final String DATA = "data: ";
  private static final String SNAPSHOT = "event: snapshot";
  private static final long HALF_A_SECOND = TimeUnit.MILLISECONDS.toNanos(500);
  private static final String CLEAR = "\u001b[H\u001b[2J";

  private final Terminal terminal;
  private final Interruption interruption;

  @Mixin private final AdminOptions options;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "How often to show them, in whole seconds (default: ${DEFAULT-VALUE}).")
  private String interval = "1s";

  @Option(names = "--once", description = "Show them once, on a terminal too.")
  private boolean once;

  @Option(
      names = "--json",
      description = "Print JSON (docs/schemas/top.json) in place of text, once.")
  private boolean json;

  /** A command that may find its token in this environment. */
  public Top(Terminal terminal, Interruption interruption, Map<String, String> environment) {
    this.terminal = terminal;
    this.interruption = interruption;
    this.options = new AdminOptions(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    long nanos = TimeUnit.SECONDS.toNanos(seconds());
    boolean isLive = !once && !json && isTerminal();
    if (isLive) {
      interruption.watch();
    }
    AdminPort port = options.port(spec.commandLine());
    try (BufferedReader events =
        new BufferedReader(new InputStreamReader(port.open("/events"), StandardCharsets.UTF_8))) {
      return show(port, events, isLive, nanos);
    } catch (Trouble e) {
      return failed(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return failed("the service has ended; start it again with 'stint serve'");
    }
  }

  private int failed(String sentence) {
    spec.commandLine().getErr().println("stint top: " + sentence);
    return ExitCode.FAILED;
  }

  /** Without colours it may be one as well: Java knows it if both ends are, up to version 21. */
  @SuppressWarnings("SystemConsoleNull")
  private boolean isTerminal() {
    return terminal.hasColour() || (terminal.errorColumns() > 0 && System.console() != null);
  }

  private long seconds() {
    if (!interval.matches("[1-9][0-9]{0,3}s?")) {
      throw new ParameterException(
          spec.commandLine(), "--interval must be 1s to 9999s, was '" + interval + "'");
    }
    return Long.parseLong(interval.replace("s", ""));
  }

  private int show(AdminPort port, BufferedReader events, boolean isLive, long nanos)
      throws IOException, Trouble {
    PrintWriter out = spec.commandLine().getOut();
    TopText text = new TopText(out, terminal.columns());
    long due = System.nanoTime();
    boolean isKnown = false;
    while (!interruption.isWanted()) {
      Tree snapshot = next(port, events);
      if (snapshot == null && !isKnown) {
        throw port.stranger("something else");
      }
      if (snapshot == null) {
        throw new IOException("the stream has ended");
      }
      isKnown = true;
      if (interruption.isWanted() || System.nanoTime() - due < 0) {
        continue;
      }
      due = System.nanoTime() + nanos - HALF_A_SECOND; // snapshots come a little early or late
      if (json) {
        out.println(TopJson.of(snapshot));
      } else {
        out.print(isLive ? CLEAR : "");
        text.print(snapshot);
      }
      out.flush();
      if (!isLive) {
        return ExitCode.FINE;
      }
    }
    return ExitCode.INTERRUPTED;
  }

  /** The next snapshot; null if there will be none. */
  private static @Nullable Tree next(AdminPort port, BufferedReader events)
      throws IOException, Trouble {
    String line = events.readLine();
    while (line != null) {
      if (line.equals(SNAPSHOT)) {
        String data = events.readLine();
        return data == null ? null : snapshot(port, data);
      }
      line = events.readLine();
    }
    return null;
  }

  private static Tree snapshot(AdminPort port, String data) throws Trouble {
    try {
      Tree snapshot = Tree.of(data.startsWith(DATA) ? data.substring(DATA.length()) : "");
      if (snapshot.has("totals")) {
        return snapshot;
      }
    } catch (IOException e) {
      throw port.stranger("no JSON");
    }
    throw port.stranger("something else");
  }
}
