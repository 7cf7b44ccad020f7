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

  /** Above the list of them in a command's help. */
  public static final String HEADING = "%nExit codes:%n";

  public static final String LIST_FINE = "0:all went well";
  public static final String LIST_FAILED = "1:the command failed, such as to write --html";
  public static final String LIST_MISUSED = "2:it was called wrongly";
  public static final String LIST_UNREADABLE = "3:what it was given to read cannot be read";
  public static final String LIST_INTERRUPTED = "130:it was interrupted, and printed what it had";

  private ExitCode() {}
}
