package dev.stint.http;

import dev.stint.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Logs failures of a rule's functions, one a minute at most: clients may be able to cause them with
 * every request.
 */
final class FailureLog {

  private static final Logger LOG = System.getLogger("dev.stint.http");
  private static final long PERIOD = TimeUnit.MINUTES.toMicros(1);

  private final String rule;
  private final TimeSource time;
  private final AtomicLong next = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong suppressed = new AtomicLong();

  FailureLog(String rule, TimeSource time) {
    this.rule = rule;
    this.time = time;
  }

  void failed(String what, Throwable failure) {
    long now = time.micros();
    long due = next.get();
    if (now < due || !next.compareAndSet(due, now + PERIOD)) {
      suppressed.incrementAndGet();
      return;
    }
    long others = suppressed.getAndSet(0);
    LOG.log(
        Level.WARNING,
        "rule " + rule + ": " + what + (others == 0 ? "" : "; so did " + others + " others before"),
        failure);
  }
}
