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
  private final Level before = root.getLevel();

  private Journal() {}

  static Journal open(Level level) {
    Journal journal = new Journal();
    journal.setLevel(level);
    journal.root.setLevel(level);
    journal.root.addHandler(journal);
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
