package dev.stint.server.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;

/**
 * The log: one event a line, on standard error, as text or as a JSON object.
 *
 * <p>It is a handler of the JDK's logging, where the libraries log as well, so that all lines have
 * one form. A line break in a message cannot make a line of its own.
 */
public final class Logs {

  private static final JsonFactory JSON = new JsonFactory();

  private Logs() {}

  /** Sends every logger's lines to {@code out} from now on. */
  public static void install(OutputStream out, boolean json) {
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(Level.INFO);
    Logger.getLogger("io.lettuce").setLevel(Level.SEVERE); // the store tells what matters
    root.addHandler(new Lines(out, json ? new JsonLine() : new TextLine()));
  }

  private static final class Lines extends StreamHandler {
    Lines(OutputStream out, Formatter formatter) {
      super(out, formatter);
    }

    @Override
    public synchronized void publish(LogRecord line) {
      super.publish(line);
      flush();
    }
  }

  /** {@code 2026-01-31T12:00:00.000Z WARNING dev.stint.server: the message}. */
  static final class TextLine extends Formatter {
    @Override
    public String format(LogRecord line) {
      String text =
          String.format(
              Locale.ROOT,
              "%s %-7s %s: %s",
              line.getInstant(),
              line.getLevel().getName(),
              line.getLoggerName(),
              formatMessage(line));
      Throwable thrown = line.getThrown();
      return (thrown == null ? text : text + ": " + stack(thrown))
              .stripTrailing()
              .replace("\r", "")
              .replace("\n", "\n    ")
          + "\n";
    }
  }

  static final class JsonLine extends Formatter {
    @Override
    public String format(LogRecord line) {
      StringWriter text = new StringWriter();
      try (JsonGenerator json = JSON.createGenerator(text)) {
        json.writeStartObject();
        json.writeStringField("time", line.getInstant().toString());
        json.writeStringField("level", line.getLevel().getName());
        json.writeStringField("logger", line.getLoggerName());
        json.writeStringField("message", formatMessage(line));
        if (line.getThrown() != null) {
          json.writeStringField("error", stack(line.getThrown()));
        }
        json.writeEndObject();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return text.append('\n').toString();
    }
  }

  private static String stack(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  /** A handler to be given to a test's logger. */
  static Handler handler(OutputStream out, boolean json) {
    return new Lines(out, json ? new JsonLine() : new TextLine());
  }
}
