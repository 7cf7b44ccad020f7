package dev.stint.redis;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What the Redis store logs while this is open. */
final class LogLines extends Handler implements AutoCloseable {

  private static final Logger LOGGER = Logger.getLogger("dev.stint.redis");

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  private LogLines() {}

  static LogLines read() {
    LogLines lines = new LogLines();
    LOGGER.addHandler(lines);
    return lines;
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void publish(LogRecord line) {
    lines.add(new SimpleFormatter().formatMessage(line));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    LOGGER.removeHandler(this);
  }
}
