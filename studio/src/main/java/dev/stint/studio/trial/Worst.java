package dev.stint.studio.trial;

/** The most that were admitted within one second, or one minute, of the clock. */
final class Worst {

  private final long span;
  private long current = Long.MIN_VALUE;
  private long count;
  private long most;

  Worst(long span) {
    this.span = span;
  }

  void add(long micros, long cost) {
    long now = Math.floorDiv(micros, span);
    if (now != current) {
      current = now;
      count = 0;
    }
    count += cost;
    most = Math.max(most, count);
  }

  long most() {
    return most;
  }
}
