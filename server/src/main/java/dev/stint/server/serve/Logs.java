package dev.stint.server.serve;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/**
 * The log of the service: one line for each event, plain or as JSON.
 *
 * <p>Everything that is logged in the process passes through here, that of libraries included. Much
 * of it can be caused by clients, so each cause gets one line in ten seconds ({@link LogThrottle})
 * and an exception is one line as well: its type, its message and where it was thrown.
 */
final class Logs extends Handler {

  /**
   * Loggers of what operators do, and no client: an audit must be complete, and a configuration has
   * as many lines as mistakes.
   */
  private static final Set<String> COMPLETE =
      Set.of("dev.stint.server.audit", "dev.stint.server.reload");

  private static final String OURS = "dev.stint.";
  private static final int LONGEST_MESSAGE = 2000;
  private static final JsonFactory JSON = new JsonFactory();

  /** Held, or its level would be collected with it. */
  private @Nullable Logger quiet;

  private @Nullable Logger streams;

  private final PrintWriter out;
  private final boolean json;
  private final boolean stackTraces;
  private final LogThrottle throttle;

  /**
   * A log that is written to {@code out}.
   *
   * @param stackTraces whether exceptions are logged with their whole stack traces
   */
  Logs(PrintWriter out, boolean json, boolean stackTraces, LogThrottle throttle) {
    this.out = out;
    this.json = json;
    this.stackTraces = stackTraces;
    this.throttle = throttle;
  }

  Logs(PrintWriter out, boolean json, boolean stackTraces) {
    this(out, json, stackTraces, new LogThrottle(System::nanoTime));
  }

  /** Makes these the only logs of the process. */
  void install() {
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(Level.INFO);
    quiet = Logger.getLogger("io.lettuce");
    quiet.setLevel(Level.SEVERE); // the store itself tells what matters, and not once a second
    // Vert.x fails, without harm, when a client resets a stream whose answer waits for its window.
    streams = Logger.getLogger("io.netty.handler.codec.http2.DefaultHttp2Connection");
    streams.setLevel(Level.OFF);
    root.addHandler(this);
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught(failure));
  }

  /** Without this, Java would print a stack trace. */
  private static void uncaught(Throwable failure) {
    System.getLogger("dev.stint.server.errors")
        .log(System.Logger.Level.ERROR, "internal error (a thread has ended)", failure);
  }

  /** Writes a line past Java's logging, which is shut down at the same time as the service. */
  void line(String message) {
    LogRecord entry = new LogRecord(Level.INFO, message);
    entry.setLoggerName("dev.stint.server");
    write(entry, 0);
  }

  @Override
  public void publish(LogRecord entry) {
    if (!isLoggable(entry)) {
      return;
    }
    String logger = String.valueOf(entry.getLoggerName());
    long heldBack = COMPLETE.contains(logger) ? 0 : throttle.admit(cause(logger, entry));
    if (heldBack != LogThrottle.HELD_BACK) {
      write(entry, heldBack);
    }
  }

  /**
   * What lines are counted by. Libraries put into their messages what clients have sent, so of
   * theirs the message is left out; ours are constants with parameters.
   */
  private static String cause(String logger, LogRecord entry) {
    Throwable thrown = entry.getThrown();
    return logger
        + ' '
        + entry.getLevel().getName()
        + (logger.startsWith(OURS) ? ' ' + entry.getMessage() : "")
        + (thrown == null ? "" : ' ' + ThrownText.cause(thrown));
  }

  private void write(LogRecord entry, long heldBack) {
    String message = clipped(new SimpleFormatter().formatMessage(entry));
    String counted =
        heldBack == 0 ? message : message + " (and " + heldBack + " more like it before)";
    String line = json ? asJson(entry, counted) : asText(entry, counted);
    synchronized (out) {
      out.println(line);
      out.flush();
    }
  }

  private static String clipped(String message) {
    return message.length() <= LONGEST_MESSAGE
        ? message
        : message.substring(0, LONGEST_MESSAGE) + "...";
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

  private String asText(LogRecord entry, String message) {
    Throwable thrown = entry.getThrown();
    String text = time(entry) + " " + level(entry) + " " + entry.getLoggerName() + ": ";
    if (thrown == null) {
      return text + oneLine(message);
    }
    return stackTraces
        ? text + oneLine(message) + System.lineSeparator() + ThrownText.trace(thrown)
        : text + oneLine(message + ": " + ThrownText.line(thrown));
  }

  /** Clients choose some of the text; none shall end the line to write another. */
  private static String oneLine(String message) {
    StringBuilder line = new StringBuilder(message.length());
    for (int i = 0; i < message.length(); i++) {
      char c = message.charAt(i);
      switch (c) {
        case '\r' -> line.append("\\r");
        case '\n' -> line.append("\\n");
        case '\t' -> line.append("\\t");
        case '\u2028', '\u2029' -> line.append("\\u").append(HexFormat.of().toHexDigits(c));
        default -> {
          if (Character.isISOControl(c)) {
            line.append("\\u").append(HexFormat.of().toHexDigits(c));
          } else {
            line.append(c);
          }
        }
      }
    }
    return line.toString();
  }

  private String asJson(LogRecord entry, String message) {
    StringWriter text = new StringWriter();
    try (JsonGenerator line = JSON.createGenerator(text)) {
      line.writeStartObject();
      line.writeStringField("time", time(entry));
      line.writeStringField("level", level(entry));
      line.writeStringField("logger", entry.getLoggerName());
      line.writeStringField("message", message);
      @Nullable Throwable thrown = entry.getThrown();
      if (thrown != null) {
        line.writeStringField("error", ThrownText.line(thrown));
        if (stackTraces) {
          line.writeStringField("trace", ThrownText.trace(thrown));
        }
      }
      line.writeEndObject();
    } catch (IOException e) {
      throw new AssertionError("a string takes everything", e);
    }
    return text.toString();
  }

  /** How many lines were held back so far. */
  long heldBack() {
    return throttle.heldBack();
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
