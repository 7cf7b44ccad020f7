package dev.stint.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Logs failures: the first at once, then one line in ten seconds with their number. */
final class Complaints {

  private static final Logger LOG = System.getLogger("dev.stint.redis");
  private static final long QUIET = 10_000_000_000L;

  private final AtomicLong nextLine = new AtomicLong(System.nanoTime());
  private final AtomicLong unsaid = new AtomicLong();
  private final AtomicBoolean saidWithoutFunctions = new AtomicBoolean();

  void add(String reason) {
    unsaid.incrementAndGet();
    if (isDue()) {
      log(Level.WARNING, "{0} decisions without Redis; the last: {1}", unsaid.getAndSet(0), reason);
    }
  }

  /** A server that flaps is given up again and again; that counts like any other failure. */
  void givenUp(@Nullable String reason) {
    if (isDue()) {
      log(Level.WARNING, "Redis is left alone until it is well again: {0}", reason);
    }
  }

  /** Says once that servers are called by script, which takes them longer. */
  void withoutFunctions(String reason) {
    if (!saidWithoutFunctions.getAndSet(true)) {
      log(
          Level.INFO,
          "Redis is called by EVALSHA instead of FCALL, which takes it longer: {0}",
          reason);
    }
  }

  /** A log that cannot be written must not cost anybody a decision. */
  private static void log(Level level, String line, @Nullable Object... details) {
    try {
      LOG.log(level, line, details);
    } catch (RuntimeException | Error e) {
      // There is nobody left to tell.
    }
  }

  private boolean isDue() {
    long due = nextLine.get();
    long now = System.nanoTime();
    return now - due >= 0 && nextLine.compareAndSet(due, now + QUIET);
  }
}
