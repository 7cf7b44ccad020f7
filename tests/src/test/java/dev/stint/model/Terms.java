package dev.stint.model;

/**
 * What a limit says, as the model sees it: times in microseconds, {@code capacity} the burst of a
 * bucket and the amount of everything else. A quota has no window; it is 0 there.
 */
record Terms(
    Kind kind, long amount, long window, long capacity, String name, boolean countsDenied) {

  /** The longest time and the wait that never ends. */
  static final long FOREVER = Long.MAX_VALUE;

  /** Where every count saturates. */
  static final long MOST = (1L << 53) - 1;

  /** The last moment: what is remembered is forgotten then at the latest. */
  static final long END = MOST - 1;

  enum Kind {
    FIXED_WINDOW,
    FIXED_WINDOW_PER_KEY,
    SLIDING_LOG,
    SLIDING_COUNTER,
    TOKEN_BUCKET,
    LEAKY_BUCKET,
    QUOTA;

    boolean isBucket() {
      return this == TOKEN_BUCKET || this == LEAKY_BUCKET;
    }
  }

  /** What makes two limits the same one; the amount is no part of it. */
  record Identity(Kind kind, long window, String name) {}

  static Terms of(Kind kind, long amount, long window) {
    return new Terms(kind, amount, window, amount, "", false);
  }

  Terms burst(long burst) {
    return new Terms(kind, amount, window, burst, name, countsDenied);
  }

  Terms countingDenied() {
    return new Terms(kind, amount, window, capacity, name, true);
  }

  Identity identity() {
    return new Identity(kind, window, name);
  }

  /** The sum of two counts, which stays at the most once it is there. */
  static long sum(long a, long b) {
    return Math.min(MOST, Math.addExact(a, b));
  }
}
