package dev.stint.studio.cli;

/** What a command's exit code tells. */
public final class ExitCode {

  /** All went well. */
  public static final int FINE = 0;

  /** The command failed. */
  public static final int FAILED = 1;

  /** It was called wrongly. */
  public static final int MISUSED = 2;

  /** What it was given to read cannot be read. */
  public static final int UNREADABLE = 3;

  /** It was told to stop, and printed what it had. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
