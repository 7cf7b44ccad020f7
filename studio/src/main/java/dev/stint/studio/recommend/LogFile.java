package dev.stint.studio.recommend;

import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Progress;
import dev.stint.studio.findings.Findings;
import dev.stint.studio.log.LogOptions;
import dev.stint.studio.log.LogReader;
import dev.stint.studio.log.Sink;
import dev.stint.studio.log.Unreadable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The log that was named on the command line.
 *
 * <p>Standard input comes only once, so it is kept in a temporary file until this is closed.
 */
final class LogFile implements Log {

  private final LogOptions options;
  private final @Nullable Path copy;
  private boolean again;

  private LogFile(LogOptions options, @Nullable Path copy) {
    this.options = options;
    this.copy = copy;
  }

  /** The log of these options. Reads standard input to its end if that is what they name. */
  static LogFile of(LogOptions options, InputStream standardInput, Interruption interruption)
      throws Unreadable {
    return new LogFile(
        options, options.file().equals("-") ? copy(standardInput, interruption) : null);
  }

  private static Path copy(InputStream in, Interruption interruption) throws Unreadable {
    Path copy = null;
    try {
      copy = Files.createTempFile("stint-recommend", ".log");
      try (OutputStream out = Files.newOutputStream(copy)) {
        byte[] buffer = new byte[1 << 16];
        for (int n = in.read(buffer); n >= 0 && !interruption.isWanted(); n = in.read(buffer)) {
          out.write(buffer, 0, n);
        }
      }
      return copy;
    } catch (IOException e) {
      delete(copy);
      throw new Unreadable(
          "standard input must be kept in a temporary file, for it is read more than once, and that"
              + " failed: "
              + e.getMessage()
              + "; give a file in place of it, or -Djava.io.tmpdir=FOLDER in STINT_JAVA_OPTS");
    }
  }

  @Override
  public Reading open() throws Unreadable {
    InputStream in;
    try {
      in = copy == null ? InputStream.nullInputStream() : Files.newInputStream(copy);
    } catch (IOException e) {
      throw new Unreadable("the copy of standard input must be there, and is not: " + copy);
    }
    LogReader reader = LogReader.open(options, in);
    OfReader reading = new OfReader(again ? reader.quietly() : reader, in);
    again = true; // what is wrong with its lines has been said
    return reading;
  }

  @Override
  public void close() {
    delete(copy);
  }

  private static void delete(@Nullable Path copy) {
    try {
      if (copy != null) {
        Files.deleteIfExists(copy);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record OfReader(LogReader reader, InputStream copy) implements Reading {

    @Override
    public String recognised() {
      return reader.recognised();
    }

    @Override
    public void read(Sink sink, Progress progress, Interruption interruption) throws Unreadable {
      reader.read(sink, progress, interruption);
    }

    @Override
    public String nameOf(int key) {
      return reader.nameOf(key);
    }

    @Override
    public Findings.Source source() {
      return reader.source();
    }

    @Override
    public void close() {
      reader.close();
      try {
        copy.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
