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
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The log that was named on the command line.
 *
 * <p>Standard input and pipes come only once, so they are kept in a temporary file until this is
 * closed.
 */
final class LogFile implements Log {

  private final LogOptions options;
  private final @Nullable Path copy;
  private boolean again;

  private LogFile(LogOptions options, @Nullable Path copy) {
    this.options = options;
    this.copy = copy;
  }

  /** The log of these options. Reads what comes only once to its end if that is what they name. */
  static LogFile of(LogOptions options, InputStream standardInput, Interruption interruption)
      throws Unreadable {
    if (options.file().equals("-")) {
      return new LogFile(options, copy(standardInput, interruption));
    }
    if (!isPipe(options.file())) {
      return new LogFile(options, null);
    }
    try (InputStream pipe = Files.newInputStream(Path.of(options.file()))) {
      return new LogFile(options, copy(pipe, interruption));
    } catch (IOException e) {
      throw new Unreadable("a pipe must be readable, and it is not: " + e.getMessage());
    }
  }

  /** Whether it is there, but neither a file nor a folder: a pipe, or what a shell makes of <(). */
  private static boolean isPipe(String file) {
    try {
      Path path = Path.of(file);
      return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
    } catch (InvalidPathException e) {
      return false; // whoever opens it says so
    }
  }

  private static Path copy(InputStream in, Interruption interruption) throws Unreadable {
    Path copy = null;
    try {
      copy = Files.createTempFile("stint-recommend", ".log");
      copy.toFile().deleteOnExit(); // who waits for a pipe may be told to stop
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
          "what comes only once must be kept in a temporary file, for it is read several times, and that"
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
      throw new Unreadable("the copy of what was read must be there, and is not: " + copy);
    }
    LogReader reader = copy == null ? LogReader.open(options, in) : LogReader.ofCopy(options, in);
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
