package dev.stint.studio.replay;

import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.OutputOptions;
import dev.stint.studio.cli.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Sends the traffic of an access log through limits and shows what they would have refused. */
@Command(
    name = "replay",
    description =
        "Sends the traffic of an access log through limits and shows what they would have refused.",
    mixinStandardHelpOptions = true)
public final class Replay implements Callable<Integer> {

  private final Terminal terminal;
  private final Interruption interruption;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private OutputOptions output = new OutputOptions();

  /** A command that draws on {@code terminal} and ends early if it is interrupted. */
  public Replay(Terminal terminal, Interruption interruption) {
    this.terminal = terminal;
    this.interruption = interruption;
  }

  @Override
  public Integer call() {
    throw new UnsupportedOperationException(spec + " " + terminal + interruption + output);
  }
}
