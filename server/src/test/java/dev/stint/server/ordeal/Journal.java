package dev.stint.server.ordeal;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Everything that is logged in this process, by whomever, as long as it is open. */
final class Journal extends Handler implements AutoCloseable {

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final Logger root = Logger.getLogger("");

  /** Other tests silence it, and loggers are the whole process's. */
  private final Logger reloads = Logger.getLogger("dev.stint.server.reload");

  private final Level before = root.getLevel();

  private Journal() {}

  static Journal open(Level level) {
    Journal journal = new Journal();
    journal.setLevel(level);
    journal.root.setLevel(level);
    journal.root.addHandler(journal);
    journal.reloads.setLevel(level);
    return journal;
  }

  @Override
  public void publish(LogRecord entry) {
    Throwable thrown = entry.getThrown();
    lines.add(
        entry.getLevel()
            + " "
            + new SimpleFormatter().formatMessage(entry)
            + (thrown == null ? "" : " " + thrown));
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    root.removeHandler(this);
    root.setLevel(before);
  }
}
