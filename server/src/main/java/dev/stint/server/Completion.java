package dev.stint.server;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stint completion}: prints what a shell needs to complete commands and options. */
@Command(
    name = "completion",
    headerHeading = "Example: source <(./stint completion bash)%n%n",
    description = {
      "Prints a script with which a shell completes commands and options.",
      "For every new shell, put the line above, with the path of stint, into ~/.bashrc or ~/.zshrc."
    },
    mixinStandardHelpOptions = true)
final class Completion implements Callable<Integer> {

  /** The shells that the script is for; it is the same for both, and finds out. */
  enum Shell {
    bash,
    zsh
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
  @SuppressWarnings("UnusedVariable") // The script finds out by itself.
  private Shell shell = Shell.bash;

  @Override
  public Integer call() {
    CommandLine stint = spec.root().commandLine();
    stint.getOut().print(AutoComplete.bash(stint.getCommandName(), stint));
    stint.getOut().flush();
    return stint.getCommandSpec().exitCodeOnSuccess();
  }
}
