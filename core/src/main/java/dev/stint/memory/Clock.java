package dev.stint.memory;

import dev.stint.Limit;
import dev.stint.TimeSource;

/** Reads the time source, whose two clocks may lie apart: one is monotonic, one is the wall's. */
record Clock(TimeSource source) {

  /** Both clocks at one moment. */
  record Reading(long monotonic, long wall) {

    /** The time by the clock that this limit follows. */
    long of(Limit limit) {
      return of(limit.identityHigh());
    }

    /** The time by the clock that the row of this fingerprint follows. */
    long of(long high) {
      return Table.followsWallClock(high) ? wall : monotonic;
    }
  }

  /** Reads both clocks now. */
  Reading read() {
    return at(source.micros());
  }

  /** What both clocks showed at {@code micros}, a reading of the monotonic one just taken. */
  Reading at(long micros) {
    return new Reading(micros, source.wall(micros));
  }

  /** The time of a decision by this limit. */
  long follow(Limit limit, long micros) {
    return Table.followsWallClock(limit.identityHigh()) ? source.wall(micros) : micros;
  }
}
