package dev.stint.model;

import java.math.BigInteger;
import java.util.List;
import java.util.OptionalLong;

/**
 * The model's answer to a hit or a peek: the whole call's, and each limit's own. Times in
 * microseconds.
 */
record Answer(boolean allowed, int deciding, List<Own> limits, List<Charge> charges) {

  /** What one limit says by itself. */
  record Own(
      Terms terms,
      boolean allowed,
      long used,
      long remaining,
      long retryAfter,
      OptionalLong nextAfter,
      long resetAfter) {}

  /** What a call took from one limit, and what is needed to give exactly that back. */
  record Charge(Terms terms, String key, long units, BigInteger stamp) {}

  /** The answer of the limit that decided. */
  Own decider() {
    return limits.get(deciding);
  }

  /** The wait of the whole call; an allowed one has none, whatever a shadow says. */
  long retryAfter() {
    return allowed ? 0 : decider().retryAfter();
  }
}
