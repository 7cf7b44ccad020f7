package dev.stint.studio.log;

import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Progress;
import dev.stint.studio.findings.Findings;
import java.io.InputStream;

/** One reading of a log, from its beginning to its end. */
public final class LogReader implements AutoCloseable {

  private LogReader() {}

  /**
   * Opens a log and recognises its format from the first lines.
   *
   * @param standardInput what {@code -} means
   * @throws Unreadable with a whole sentence
   */
  public static LogReader open(LogOptions options, InputStream standardInput) throws Unreadable {
    throw new UnsupportedOperationException(options.file() + standardInput);
  }

  /** What was recognised, in a sentence to print before it is read. */
  public String recognised() {
    throw new UnsupportedOperationException();
  }

  /**
   * Reads it to the end, or until somebody interrupts.
   *
   * @throws Unreadable if it breaks off, or has no line that can be understood
   */
  public void read(Sink sink, Progress progress, Interruption interruption) throws Unreadable {
    throw new UnsupportedOperationException(sink + " " + progress + interruption);
  }

  /** What a client is called. */
  public String nameOf(int key) {
    throw new UnsupportedOperationException("" + key);
  }

  /** What was read so far. */
  public Findings.Source source() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
