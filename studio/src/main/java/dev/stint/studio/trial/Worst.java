package dev.stint.studio.trial;

/** The most that were admitted within one second, or one minute, of the clock. */
final class Worst {

  private final long span;
  private long from;
  private long to;
  private long count;
  private long most;

  Worst(long span) {
    this.span = span;
  }

  void add(long micros, long cost) {
    if (micros < from || micros >= to) {
      from = Math.floorDiv(micros, span) * span;
      to = from + span;
      count = 0;
    }
    count += cost;
    most = Math.max(most, count);
  }

  long most() {
    return most;
  }
}
