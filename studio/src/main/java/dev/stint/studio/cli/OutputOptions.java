package dev.stint.studio.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How findings are told; the same options on every command that has some. */
public final class OutputOptions {

  @Option(
      names = "--json",
      description = "Print JSON (docs/schemas/findings.json) in place of text.")
  private boolean json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write a page with everything in it, to open in a browser.")
  private @Nullable Path html;

  @Option(names = "--ascii", description = "Draw with ASCII characters only.")
  private boolean ascii;

  /** Made by the command line. */
  public OutputOptions() {}

  /** Whether JSON is wanted. */
  public boolean json() {
    return json;
  }

  /** Where the page goes. */
  public Optional<Path> html() {
    return Optional.ofNullable(html);
  }

  /** How to draw on this terminal. */
  public Ink ink(Terminal terminal) {
    return new Ink(terminal.hasColour(), ascii);
  }
}
