package dev.stint.server.serve;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/** The log of the service: one line for each thing that happened, plain or as JSON. */
final class Logs extends Handler {

  private static final JsonFactory JSON = new JsonFactory();

  /** Held, or its level would be collected with it. */
  private @Nullable Logger quiet;

  private final PrintWriter out;
  private final boolean json;

  Logs(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  /** Makes these the only logs of the process. */
  void install() {
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(Level.INFO);
    quiet = Logger.getLogger("io.lettuce");
    quiet.setLevel(Level.SEVERE); // the store itself tells what matters, and not once a second
    root.addHandler(this);
  }

  /** Writes a line past Java's logging, which is shut down at the same time as the service. */
  void line(String message) {
    LogRecord entry = new LogRecord(Level.INFO, message);
    entry.setLoggerName("dev.stint.server");
    publish(entry);
  }

  @Override
  public void publish(LogRecord entry) {
    if (isLoggable(entry)) {
      String message = new SimpleFormatter().formatMessage(entry);
      out.println(json ? asJson(entry, message) : asText(entry, message));
      out.flush();
    }
  }

  private static String time(LogRecord entry) {
    Instant time = entry.getInstant().truncatedTo(ChronoUnit.MILLIS);
    return time.toString();
  }

  private static String level(LogRecord entry) {
    int level = entry.getLevel().intValue();
    return level >= Level.SEVERE.intValue()
        ? "error"
        : level >= Level.WARNING.intValue() ? "warn" : "info";
  }

  private static String asText(LogRecord entry, String message) {
    Throwable thrown = entry.getThrown();
    return time(entry)
        + " "
        + level(entry)
        + " "
        + entry.getLoggerName()
        + ": "
        + message.replace("\r", "\\r").replace("\n", "\\n") // a line is one entry, whoever wrote it
        + (thrown == null ? "" : System.lineSeparator() + trace(thrown));
  }

  private static String asJson(LogRecord entry, String message) {
    StringWriter text = new StringWriter();
    try (JsonGenerator line = JSON.createGenerator(text)) {
      line.writeStartObject();
      line.writeStringField("time", time(entry));
      line.writeStringField("level", level(entry));
      line.writeStringField("logger", entry.getLoggerName());
      line.writeStringField("message", message);
      @Nullable Throwable thrown = entry.getThrown();
      if (thrown != null) {
        line.writeStringField("trace", trace(thrown));
      }
      line.writeEndObject();
    } catch (IOException e) {
      throw new AssertionError("a string takes everything", e);
    }
    return text.toString();
  }

  private static String trace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString().stripTrailing();
  }

  @Override
  public void flush() {
    out.flush();
  }

  @Override
  public void close() {
    out.flush();
  }
}
