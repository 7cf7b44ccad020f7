package dev.stint.server.net;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the open connections of a port, and knows how many there may be. */
public final class Connections {

  private final AtomicInteger open = new AtomicInteger();
  private final WireCounters counters = new WireCounters();
  private final int most;

  /** At most so many. */
  public Connections(int most) {
    this.most = most;
  }

  /** Counts one more; false if there are too many, and then it must be closed and not counted. */
  public boolean enter() {
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      counters.rejected(RejectionCause.CONNECTION_LIMIT);
      return false;
    }
    return true;
  }

  /** Counts one less. */
  public void leave() {
    open.decrementAndGet();
  }

  /** How many are open. */
  public int open() {
    return open.get();
  }

  /** What else is counted of this port. */
  public WireCounters counters() {
    return counters;
  }
}
