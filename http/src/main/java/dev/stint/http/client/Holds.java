package dev.stint.http.client;

import dev.stint.TimeSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Until when which keys are not to be called, because a server said so. */
final class Holds {

  /** A day: a server that names more is taken to be wrong, rather than never called again. */
  private static final long MOST_MICROS = 24L * 60 * 60 * 1_000_000;

  /** From so many on, those that are over are thrown out with every new one. */
  private static final int FEW = 1000;

  private final TimeSource time;
  private final ConcurrentMap<String, Long> ends = new ConcurrentHashMap<>();

  Holds(TimeSource time) {
    this.time = time;
  }

  /** Microseconds for which the key is still not to be called; 0 if it may be. */
  long left(String key) {
    Long end = ends.get(key);
    if (end == null) {
      return 0;
    }
    long left = end - time.micros();
    if (left > 0) {
      return left;
    }
    ends.remove(key, end);
    return 0;
  }

  /** Holds the key for so long, unless it is held for longer already. */
  void hold(String key, long micros) {
    if (micros > 0) {
      long now = time.micros();
      if (ends.size() >= FEW) {
        ends.values().removeIf(end -> end <= now);
      }
      ends.merge(key, now + Math.min(micros, MOST_MICROS), Math::max);
    }
  }
}
