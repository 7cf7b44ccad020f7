package dev.stint.memory;

import dev.stint.Limit;
import dev.stint.TimeSource;

/** What one reading of the time means: for a limit, and for the sweep. */
record Clock(TimeSource source) {

  /** The time of a decision by this limit. */
  long follow(Limit limit, long micros) {
    return limit.algorithm().followsWallClock() ? source.wall(micros) : micros;
  }

  /**
   * The time by which a state has expired for certain. A row does not tell which clock it follows,
   * so it is the one that is behind.
   */
  long expired(long micros) {
    return Math.min(micros, source.wall(micros));
  }
}
