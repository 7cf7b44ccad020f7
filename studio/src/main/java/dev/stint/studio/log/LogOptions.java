package dev.stint.studio.log;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which log is read, and how; the same options on every command that reads one. */
public final class LogOptions {

  @Parameters(
      paramLabel = "FILE",
      description = "An access log, plain, .gz or .zst; - for standard input.")
  private String file = "-";

  @Option(
      names = "--by",
      paramLabel = "FIELD",
      description = "What tells clients apart: ip, user, path, or a field of the log.")
  private String by = "ip";

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "The format; recognised if not given.")
  private @Nullable String format;

  /** Made by the command line. */
  public LogOptions() {}

  /** What is read, as it was given. */
  public String file() {
    return file;
  }

  /** What tells clients apart. */
  public String by() {
    return by;
  }

  /** The format that was asked for. */
  @Nullable String format() {
    return format;
  }
}
