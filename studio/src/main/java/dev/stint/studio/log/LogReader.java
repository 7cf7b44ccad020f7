package dev.stint.studio.log;

import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Progress;
import dev.stint.studio.findings.Findings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One reading of a log, from its beginning to its end.
 *
 * <p>Lines are read and understood on a thread of their own; requests are handed to the sink on the
 * caller's.
 */
public final class LogReader implements AutoCloseable {

  private final LogOptions options;
  private final Input input;
  private final Recognition recognition;
  private final LineFormat format;
  private final Clients clients = new Clients();
  private final Parser parser;
  private boolean quiet;
  private boolean ended;
  private long lines;
  private long bad;
  private long late;
  private long requests;
  private long unnamed;

  private LogReader(LogOptions options, Input input) throws Unreadable {
    Wanted wanted = options.wanted();
    this.options = options;
    this.input = input;
    this.recognition = new Recognition(input, options, wanted);
    this.format = recognition.format();
    InputStream all =
        new SequenceInputStream(
            new ByteArrayInputStream(recognition.head().bytes()), input.stream());
    this.parser = new Parser(all, format, wanted, clients, options);
  }

  /**
   * Opens a log and recognises its format from the first lines.
   *
   * @param standardInput what {@code -} means
   * @throws Unreadable with a whole sentence
   * @throws picocli.CommandLine.ParameterException if an option is wrong
   */
  public static LogReader open(LogOptions options, InputStream standardInput) throws Unreadable {
    return of(options, Input.open(options.file(), standardInput));
  }

  /** As {@link #open}, of what was named by the options and is kept elsewhere. */
  public static LogReader ofCopy(LogOptions options, InputStream copy) throws Unreadable {
    return of(options, Input.ofCopy(options.file(), copy));
  }

  private static LogReader of(LogOptions options, Input input) throws Unreadable {
    try {
      return new LogReader(options, input);
    } catch (Unreadable | RuntimeException e) {
      input.close();
      throw e;
    }
  }

  /** What was recognised, in a sentence to print before it is read. */
  public String recognised() {
    int first = recognition.head().lines().size();
    return "%s log format%s, %s; %s"
        .formatted(
            format.name(),
            input.packing().isEmpty() ? "" : " (" + input.packing() + ")",
            options.format() != null
                ? "as asked for"
                : first == 1 ? "from the first line" : "from the first %,d lines".formatted(first),
            format.taken());
  }

  /** Says nothing of bad lines: for who reads the same log again. */
  public LogReader quietly() {
    quiet = true;
    return this;
  }

  /**
   * Reads it to the end, or until somebody interrupts.
   *
   * @throws Unreadable if it breaks off, or has no line that can be understood
   */
  public void read(Sink sink, Progress progress, Interruption interruption) throws Unreadable {
    parser.start();
    try {
      while (!ended && !interruption.isWanted()) {
        Batch batch = parser.next();
        if (batch != null) {
          take(batch, sink, progress);
        }
      }
      while (!ended && parser.abandon()) {
        take(parser.rest(), sink, progress);
      }
    } catch (InterruptedException e) {
      interruption.now();
      Thread.currentThread().interrupt();
    }
  }

  private void take(Batch batch, Sink sink, Progress progress) throws Unreadable {
    lines = batch.lines;
    bad = batch.bad;
    late = batch.late;
    unnamed = batch.unnamed;
    if (!quiet) {
      batch.complaints.forEach(progress::say);
    }
    if (batch.failure instanceof IOException cause) {
      throw input.broken(lines, cause);
    }
    if (batch.failure instanceof RuntimeException defect) {
      throw defect;
    }
    requests += batch.size;
    sink.requests(batch.micros, batch.keys, batch.costs, batch.size);
    progress.done(lines, input.share());
    ended = batch.isLast;
    if (!ended) {
      parser.giveBack(batch);
    }
  }

  /** What a client is called. */
  public String nameOf(int key) {
    return options.anonymize() ? "client-" + (key + 1) : clients.nameOf(key);
  }

  /** What was read so far. */
  public Findings.Source source() {
    List<String> notes = new ArrayList<>();
    if (requests > 0 && !format.hasFractions()) {
      notes.add(
          "times are whole seconds in this log: all requests of a second count as made at its"
              + " beginning");
    }
    if (unnamed > 0) {
      notes.add(
          "%,d %s no %s ('-') and count%s as one client"
              .formatted(
                  unnamed,
                  unnamed == 1 ? "request has" : "requests have",
                  options.by(),
                  unnamed == 1 ? "s" : ""));
    }
    if (late > requests) {
      notes.add(
          "most lines are late, as if one line had a time far ahead of the others; sort the log, or"
              + " take that line out");
    } else if (late > 0) {
      notes.add("late lines are left out; a longer --reorder may take them in");
    }
    return new Findings.Source(
        options.file(),
        format.name(),
        options.by(),
        lines,
        bad,
        late,
        Optional.empty(),
        List.copyOf(notes));
  }

  @Override
  public void close() {
    // What hangs in a read is not closed under it; the process ends soon.
    if (parser.stop()) {
      input.close();
    }
  }
}
