package dev.stint.server;

import dev.stint.server.inspect.Explain;
import dev.stint.server.inspect.Top;
import dev.stint.server.serve.Check;
import dev.stint.server.serve.Rehearse;
import dev.stint.server.serve.Serve;
import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Terminal;
import dev.stint.studio.demo.Demo;
import dev.stint.studio.recommend.Recommend;
import dev.stint.studio.replay.Replay;
import dev.stint.studio.simulate.Simulate;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code stint}; what it can do is in its subcommands.
 *
 * <p>Exit codes are in {@link dev.stint.studio.cli.ExitCode}.
 */
@Command(
    name = "stint",
    description = "Rate limits: choose them, serve them, see what they do.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all went well",
      "1:the command failed",
      "2:it was called wrongly",
      "3:what it was given to read cannot be read",
      "130:it was told to stop, and printed what it had"
    },
    footer = "%nRun 'stint COMMAND --help' for the options of a command.")
public final class Main implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  private Main() {}

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String... args) {
    // Always UTF-8: a container without a locale shows it well, and would get question marks.
    PrintWriter out = utf8(FileDescriptor.out);
    PrintWriter err = utf8(FileDescriptor.err);
    Interruption interruption = Interruption.ofThisProcess();
    int code = run(Terminal.ofThisProcess(), interruption, out, err, args);
    interruption.over();
    System.exit(code);
  }

  private static PrintWriter utf8(FileDescriptor descriptor) {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), true);
  }

  /** Runs the command line and answers with its exit code. */
  static int run(
      Terminal terminal,
      Interruption interruption,
      PrintWriter out,
      PrintWriter err,
      String... args) {
    Ansi ansi = terminal.hasColour() ? Ansi.ON : Ansi.OFF;
    CommandLine line =
        new CommandLine(new Main())
            .addSubcommand(new Serve(System.getenv(), Path.of("")))
            .addSubcommand(new Check(System.getenv(), Path.of("")))
            .addSubcommand(new Simulate(terminal, interruption))
            .addSubcommand(new Replay(terminal, interruption))
            .addSubcommand(new Recommend(terminal, interruption))
            .addSubcommand(new Explain(System.getenv()))
            .addSubcommand(new Top(terminal, interruption, System.getenv()))
            .addSubcommand(new Demo(terminal))
            .addSubcommand(new Completion())
            .addSubcommand(new Rehearse());
    for (CommandLine command : line.getSubcommands().values()) {
      command.getCommandSpec().versionProvider(new Version());
    }
    int code =
        line.setOut(out)
            .setErr(err)
            .setColorScheme(CommandLine.Help.defaultColorScheme(ansi))
            .setUsageHelpWidth(Math.min(terminal.columns(), 100))
            .setParameterExceptionHandler(Main::explain)
            .execute(args);
    out.flush();
    err.flush();
    return code;
  }

  /** Without a command there is nothing to do but to say which there are. */
  @Override
  public void run() {
    CommandLine line = spec.commandLine();
    throw new ParameterException(line, "a command must be given; " + CalledWrongly.commands(line));
  }

  private static int explain(ParameterException mistake, String[] args) {
    CommandLine command = mistake.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println(name + ": " + CalledWrongly.sentence(mistake));
    command.getErr().println("Run '" + name + " --help' for what there is.");
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  /** The version that the build wrote into the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"stint " + (version == null ? "(not packaged)" : version)};
    }
  }
}
