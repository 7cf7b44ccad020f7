package dev.stint.studio.recommend;

import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.OutputOptions;
import dev.stint.studio.cli.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Proposes limits that suit the traffic of an access log, with their price. */
@Command(
    name = "recommend",
    description = "Proposes limits that suit the traffic of an access log, with their price.",
    mixinStandardHelpOptions = true)
public final class Recommend implements Callable<Integer> {

  private final Terminal terminal;
  private final Interruption interruption;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private OutputOptions output = new OutputOptions();

  /** A command that draws on {@code terminal} and ends early if it is interrupted. */
  public Recommend(Terminal terminal, Interruption interruption) {
    this.terminal = terminal;
    this.interruption = interruption;
  }

  @Override
  public Integer call() {
    throw new UnsupportedOperationException(spec + " " + terminal + interruption + output);
  }
}
