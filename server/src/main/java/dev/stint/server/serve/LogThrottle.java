package dev.stint.server.serve;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Lets one line per cause into the log in ten seconds, and counts those it holds back, so that no
 * client can fill a disk.
 */
final class LogThrottle {

  /** The answer for a line that is held back. */
  static final long HELD_BACK = -1;

  /** Causes beyond these share one, so that memory is bounded too. */
  static final int MOST_CAUSES = 256;

  private static final String OTHER = "_other";
  private static final long QUIET = TimeUnit.SECONDS.toNanos(10);

  private final LongSupplier nanos;
  private final Map<String, Cause> causes = new ConcurrentHashMap<>();
  private final LongAdder heldBack = new LongAdder();

  LogThrottle(LongSupplier nanos) {
    this.nanos = nanos;
  }

  private static final class Cause {
    private boolean seen;
    private long lastLine;
    private long heldBack;

    synchronized long admit(long now) {
      if (seen && now - lastLine < QUIET) {
        heldBack++;
        return HELD_BACK;
      }
      long before = heldBack;
      seen = true;
      lastLine = now;
      heldBack = 0;
      return before;
    }
  }

  /**
   * Whether a line of this cause is due.
   *
   * @return how many were held back since the last one; {@link #HELD_BACK} if this one is to be
   */
  long admit(String name) {
    Cause cause = causes.get(name);
    if (cause == null) {
      String kept = causes.size() < MOST_CAUSES ? name : OTHER;
      cause = causes.computeIfAbsent(kept, unused -> new Cause());
    }
    long before = cause.admit(nanos.getAsLong());
    if (before == HELD_BACK) {
      heldBack.increment();
    }
    return before;
  }

  /** How many lines were held back so far. */
  long heldBack() {
    return heldBack.sum();
  }
}
