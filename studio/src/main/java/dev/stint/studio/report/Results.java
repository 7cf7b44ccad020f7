package dev.stint.studio.report;

import dev.stint.studio.cli.ExitCode;
import dev.stint.studio.cli.OutputOptions;
import dev.stint.studio.cli.Terminal;
import dev.stint.studio.findings.Findings;
import dev.stint.studio.findings.FindingsJson;
import dev.stint.studio.findings.FindingsText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** Gives out findings as the options of a command want them. */
public final class Results {

  private Results() {}

  /** Prints them, and writes the report if one is wanted; answers with the exit code. */
  public static int print(
      Findings findings, OutputOptions output, Terminal terminal, CommandSpec command) {
    PrintWriter out = command.commandLine().getOut();
    out.print(
        output.json()
            ? FindingsJson.of(findings)
            : FindingsText.of(findings, output.ink(terminal), terminal.columns()));
    out.flush(); // before anything that may fail
    Optional<Path> page = output.html();
    if (page.isPresent() && !write(findings, page.get(), command)) {
      return ExitCode.FAILED;
    }
    return findings.interrupted() ? ExitCode.INTERRUPTED : ExitCode.FINE;
  }

  private static boolean write(Findings findings, Path page, CommandSpec command) {
    PrintWriter err = command.commandLine().getErr();
    try {
      Report.write(findings, page);
      err.println("The report is in " + page);
      return true;
    } catch (IOException e) {
      err.println(
          command.qualifiedName()
              + ": --html must name a file that can be written: '"
              + page
              + "' "
              + reason(page, e));
      return false;
    }
  }

  private static String reason(Path page, IOException cause) {
    if (Files.isDirectory(page)) {
      return "is a directory; name a file in it";
    }
    if (cause instanceof NoSuchFileException) {
      return "is in a directory that is not there; make it, or name another";
    }
    if (cause instanceof AccessDeniedException) {
      return "may not be written by this user; name another place";
    }
    return "cannot be (" + cause.getMessage() + "); name another place";
  }
}
