package dev.stint.studio.demo;

import dev.stint.Limit;
import dev.stint.studio.cli.Ink;
import dev.stint.studio.cli.Span;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/**
 * One scenario drawn: the traffic, a time axis, and a lane of two rows for each limit, bars for
 * what was admitted above crosses for what was refused, with the numbers beside them.
 *
 * <p>A lane is cut into columns of equal time. Every window of the clock is the same number of
 * columns, so an edge of a window always lies between two of them.
 */
final class Picture {

  /** The least width in which the lanes still tell something. */
  static final int LEAST_WIDTH = 70;

  private static final int NAMES = 17;

  private final Ink ink;
  private final int width;
  private final Scenario scenario;
  private final long[] traffic;
  private final List<Lane> lanes;

  private final long amount;
  private final long window;
  private final int digits;
  private final int columns;
  private final long tallest;
  private final StringBuilder text = new StringBuilder();

  private Picture(Ink ink, int width, Scenario scenario, long[] traffic, List<Lane> lanes) {
    this.ink = ink;
    this.width = width;
    this.scenario = scenario;
    this.traffic = traffic;
    this.lanes = lanes;
    Limit any = lanes.get(0).limit();
    amount = any.amount();
    window = any.window().toNanos() / 1000;
    digits = Integer.toString(traffic.length).length();
    int room = width - NAMES - count(0, "").length() - worstWidth();
    columns = room / scenario.windows() * scenario.windows();
    tallest = LongStream.of(perColumn(traffic)).max().orElse(1);
  }

  /** Draws a scenario, at most {@code width} characters wide. */
  static String of(Ink ink, int width, Scenario scenario, long[] traffic, List<Lane> lanes) {
    return new Picture(ink, width, scenario, traffic, lanes).draw();
  }

  private String draw() {
    line(ink.title(scenario.title()));
    paragraph(scenario.story());
    paragraph(ink.arrow() + " " + scenario.lesson());
    line("");
    line(" ".repeat(NAMES) + ink.faint(axis()));
    line(pad("traffic") + bars(traffic, ink::title) + count(traffic.length, "hits") + "worst");
    for (Lane lane : lanes) {
      line("");
      draw(lane);
    }
    return text.toString();
  }

  private void draw(Lane lane) {
    String[] name = name(lane.limit());
    line(
        ink.title(pad(name[0]))
            + bars(lane.admitted(), ink::admitted)
            + ink.admitted(count(lane.admitted().length, "admitted"))
            + worst(lane, Span.SECOND));
    line(
        ink.faint(pad(name[1]))
            + crosses(lane.refused(), ink::refused)
            + ink.refused(count(lane.refused().length, "refused"))
            + worst(lane, Span.MINUTE));
    if (window != Span.SECOND && window != Span.MINUTE) {
      line(" ".repeat(NAMES + columns + count(0, "").length()) + worst(lane, window));
    }
  }

  private static String[] name(Limit limit) {
    return switch (limit.kind()) {
      case FIXED_WINDOW -> new String[] {"fixed window", "on the clock"};
      case FIXED_WINDOW_PER_KEY -> new String[] {"fixed window", "per key"};
      case SLIDING_LOG -> new String[] {"sliding log", "exact"};
      case SLIDING_COUNTER -> new String[] {"sliding counter", "two counts"};
      case TOKEN_BUCKET -> new String[] {"token bucket", "burst " + limit.capacity()};
      case LEAKY_BUCKET -> new String[] {"leaky bucket", "room for " + limit.capacity()};
      case QUOTA -> new String[] {"quota", ""};
    };
  }

  // Lanes

  private long[] perColumn(long[] times) {
    long[] hits = new long[columns];
    for (long time : times) {
      hits[(int) (time * columns / (window * scenario.windows()))]++;
    }
    return hits;
  }

  private String bars(long[] times, UnaryOperator<String> paint) {
    return row(perColumn(times), n -> ink.bar(n, tallest), paint);
  }

  private String crosses(long[] times, UnaryOperator<String> paint) {
    return row(perColumn(times), n -> ink.cross(), paint);
  }

  /** A sign for each column that has hits, painted; a faint line where a window begins. */
  private String row(long[] hits, LongFunction<String> sign, UnaryOperator<String> paint) {
    StringBuilder row = new StringBuilder();
    for (int start = 0, end; start < columns; start = end) {
      StringBuilder run = new StringBuilder();
      boolean busy = hits[start] > 0;
      for (end = start; end < columns && hits[end] > 0 == busy; end++) {
        run.append(busy ? sign.apply(hits[end]) : isEdge(end) ? ink.edge() : " ");
      }
      row.append(busy ? paint.apply(run.toString()) : ink.faint(run.toString()));
    }
    return row.toString();
  }

  private boolean isEdge(int column) {
    return column % (columns / scenario.windows()) == 0;
  }

  /**
   * A mark where each window begins and where the last one ends, with its time where there is room.
   */
  private String axis() {
    StringBuilder axis = new StringBuilder();
    int step = columns / scenario.windows();
    for (int i = 0; i <= scenario.windows(); i++) {
      String time = i == 0 ? "0" : Span.exactly(i * window);
      axis.append(" ".repeat(i * step - axis.length())).append(ink.edge());
      axis.append(time.length() < step ? time : "");
    }
    return axis.toString();
  }

  // Numbers

  private String count(long n, String what) {
    return String.format(Locale.ROOT, "  %" + digits + "d %-8s  ", n, what);
  }

  private String worst(Lane lane, long span) {
    long most = lane.worst(span);
    boolean over = span <= window && most > amount;
    String format = "%" + digits + "d in %-" + spanWidth() + "s %s";
    String number = String.format(Locale.ROOT, format, most, Span.exactly(span), over ? "!" : " ");
    return over ? ink.warning(number) : number;
  }

  private int worstWidth() {
    return digits + " in ".length() + spanWidth() + " !".length();
  }

  private int spanWidth() {
    return Math.max(Span.exactly(Span.MINUTE).length(), Span.exactly(window).length());
  }

  // Lines

  private static String pad(String name) {
    return String.format(Locale.ROOT, "%-" + NAMES + "s", name);
  }

  private void paragraph(String sentence) {
    StringBuilder line = new StringBuilder();
    for (String word : sentence.split(" ", -1)) {
      if (line.length() + word.length() >= width) {
        line(line.toString());
        line.setLength(0);
      }
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    line(line.toString());
  }

  private void line(String line) {
    text.append(line.stripTrailing()).append(System.lineSeparator());
  }
}
