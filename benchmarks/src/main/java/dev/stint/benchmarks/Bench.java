package dev.stint.benchmarks;

import dev.stint.benchmarks.replay.ReplayCommand;
import dev.stint.benchmarks.server.CompareServerCommand;
import dev.stint.benchmarks.server.ServerCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The benchmarks' command line. */
@Command(
    name = "bench",
    description = "Measures Stint beside its peers.",
    subcommands = {
      MemoryCommand.class,
      CompareCommand.class,
      RedisCommand.class,
      HttpCommand.class,
      ServerCommand.class,
      CompareServerCommand.class,
      ReplayCommand.class
    })
public final class Bench {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean help;

  private Bench() {}

  /** Runs a command, for example {@code memory --quick}. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new Bench()).execute(args.length == 0 ? new String[] {"--help"} : args));
  }
}
