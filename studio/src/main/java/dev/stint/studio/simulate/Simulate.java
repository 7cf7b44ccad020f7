package dev.stint.studio.simulate;

import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.OutputOptions;
import dev.stint.studio.cli.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Sends made-up traffic through limits and shows what each algorithm makes of it. */
@Command(
    name = "simulate",
    description = "Sends made-up traffic through limits and shows what each algorithm makes of it.",
    mixinStandardHelpOptions = true)
public final class Simulate implements Callable<Integer> {

  private final Terminal terminal;
  private final Interruption interruption;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private OutputOptions output = new OutputOptions();

  /** A command that draws on {@code terminal} and ends early if it is interrupted. */
  public Simulate(Terminal terminal, Interruption interruption) {
    this.terminal = terminal;
    this.interruption = interruption;
  }

  @Override
  public Integer call() {
    throw new UnsupportedOperationException(spec + " " + terminal + interruption + output);
  }
}
