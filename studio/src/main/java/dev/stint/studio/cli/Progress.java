package dev.stint.studio.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * How far a long work is: a bar with rate and time left, drawn over itself, on a terminal only and
 * from half a second on.
 */
public final class Progress implements AutoCloseable {

  private static final long FIRST_NANOS = 500_000_000;
  private static final long EVERY_NANOS = 100_000_000;
  private static final int BAR = 24;

  private final PrintWriter err;
  private final int columns;
  private final String unit;
  private final LongSupplier nanos;
  private final long start;
  private long next;
  private boolean shown;

  /**
   * Progress of a work that begins now.
   *
   * @param columns how wide the terminal is; 0 if there is none
   * @param unit what is counted, such as {@code lines}
   */
  public Progress(PrintWriter err, int columns, String unit) {
    this(err, columns, unit, System::nanoTime);
  }

  Progress(PrintWriter err, int columns, String unit, LongSupplier nanos) {
    this.err = err;
    this.columns = columns;
    this.unit = unit;
    this.nanos = nanos;
    this.start = nanos.getAsLong();
    this.next = start + FIRST_NANOS;
  }

  /**
   * So much is done. May be called often, though not for every line.
   *
   * @param share of the whole, from 0 to 1; below 0 if nobody knows
   */
  public void done(long count, double share) {
    if (columns == 0) {
      return;
    }
    long now = nanos.getAsLong();
    if (now < next) {
      return;
    }
    next = now + EVERY_NANOS;
    shown = true;
    String line = line(count, share, (now - start) / 1e9);
    err.print(
        "\r" + (line.length() < columns ? line : line.substring(0, columns - 1)) + "\u001b[K");
    err.flush();
  }

  private String line(long count, double share, double seconds) {
    String rate =
        String.format(Locale.ROOT, "%,d %s, %,.0f a second", count, unit, count / seconds);
    if (share < 0) {
      return rate;
    }
    int filled = (int) Math.round(Math.min(1, share) * BAR);
    return String.format(
        Locale.ROOT,
        "[%s%s] %3.0f %%  %s, %s left",
        "#".repeat(filled),
        ".".repeat(BAR - filled),
        Math.min(1, share) * 100,
        rate,
        share == 0 ? "?" : time(seconds / share - seconds));
  }

  private static String time(double seconds) {
    long whole = Math.max(0, Math.round(seconds));
    return whole < 60
        ? whole + " s"
        : whole < 3600
            ? whole / 60 + " min " + whole % 60 + " s"
            : whole / 3600 + " h " + whole % 3600 / 60 + " min";
  }

  /** Says a line, terminal or not; the bar is drawn again below it. */
  public void say(String line) {
    close();
    err.println(line);
  }

  /** Takes the bar away. */
  @Override
  public void close() {
    if (shown) {
      err.print("\r\u001b[K");
      err.flush();
      shown = false;
    }
  }
}
