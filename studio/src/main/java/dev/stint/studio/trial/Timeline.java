package dev.stint.studio.trial;

/**
 * How many there were over time, in columns of equal length.
 *
 * <p>Where a stream ends is not known while it is read, so a timeline that is full makes two
 * columns one and goes on with columns twice as long. Timelines of the same first moment and step
 * that have heard of the same last moment have the same columns.
 */
public final class Timeline {

  private final long start;
  private long step;
  private final long[] columns;
  private int used;
  private long last;

  // The column of the last moment: the next one is nearly always in it too.
  private int column;
  private long from;
  private long to;

  /**
   * A timeline from {@code start} on.
   *
   * @param step how long a column is at first, in microseconds
   * @param most how many columns there are at most; an even number
   */
  public Timeline(long start, long step, int most) {
    this.start = start;
    this.step = step;
    this.columns = new long[most];
    this.last = start;
  }

  /** Counts {@code n} at a moment, none before the start, in order. Nothing is counted by 0. */
  public void add(long micros, long n) {
    if (micros < from || micros >= to) {
      find(micros);
    }
    columns[column] += n;
    last = micros;
  }

  private void find(long micros) {
    while ((micros - start) / step >= columns.length) {
      halve();
    }
    column = (int) ((micros - start) / step);
    from = start + column * step;
    to = from + step;
    used = Math.max(used, column + 1);
  }

  private void halve() {
    int half = columns.length / 2;
    for (int i = 0; i < half; i++) {
      columns[i] = columns[2 * i] + columns[2 * i + 1];
    }
    java.util.Arrays.fill(columns, half, columns.length, 0);
    used = (used + 1) / 2;
    step *= 2;
  }

  /** The first moment, in microseconds since the epoch. */
  public long start() {
    return start;
  }

  /** The last moment that it has heard of; the first one if of none. */
  public long last() {
    return last;
  }

  /** How long a column is, in microseconds. */
  public long step() {
    return step;
  }

  /** How many columns have been reached. */
  public int size() {
    return used;
  }

  /** What was counted in a column. */
  public long at(int column) {
    return columns[column];
  }

  /** The highest column. */
  public long most() {
    long most = 0;
    for (int i = 0; i < used; i++) {
      most = Math.max(most, columns[i]);
    }
    return most;
  }
}
