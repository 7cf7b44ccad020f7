package dev.stint;

import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Bucket;
import dev.stint.algorithm.FixedWindow;
import dev.stint.algorithm.Quota;
import dev.stint.algorithm.SlidingCounter;
import dev.stint.algorithm.SlidingLog;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How much of something is allowed, and how it is counted: an algorithm with its numbers.
 *
 * <p>A limit is a value. Give it to a {@link RateLimiter} once, or put it {@linkplain #on(String)
 * on a key} in a call, when it depends on the tenant. Which factory to use:
 *
 * <ul>
 *   <li>{@link #tokenBucket}: the ordinary choice. Bursts up to the amount, then an even rate.
 *   <li>{@link #leakyBucket}: the same decisions, for those who think of a level that drains.
 *   <li>{@link #fixedWindow}: "per day" as on the calendar (UTC); twice the amount can pass at an
 *       edge.
 *   <li>{@link #fixedWindowPerKey}: the same, each key's window starting with its first hit.
 *   <li>{@link #slidingCounter}: no such edge, close to exact, in constant memory.
 *   <li>{@link #slidingLog}: never more than the amount in any window, in memory per hit.
 *   <li>{@link #quota}: an amount that is spent once.
 * </ul>
 *
 * <p>What is counted belongs to the limit's algorithm, window and name, <em>not</em> to its amount:
 * a limit with another amount goes on with the same counts.
 */
public final class Limit {

  /** The algorithms a limit can have. */
  public enum Kind {
    FIXED_WINDOW("fixed-window"),
    FIXED_WINDOW_PER_KEY("fixed-window-per-key"),
    SLIDING_LOG("sliding-log"),
    SLIDING_COUNTER("sliding-counter"),
    TOKEN_BUCKET("token-bucket"),
    LEAKY_BUCKET("leaky-bucket"),
    QUOTA("quota");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /**
     * The name of this algorithm, as in rate strings; only a quota is written {@code total} there.
     */
    public String word() {
      return word;
    }

    /** Whether this is a bucket, and so may have a burst of its own. */
    public boolean isBucket() {
      return this == TOKEN_BUCKET || this == LEAKY_BUCKET;
    }
  }

  private static final long MAX_AMOUNT = 1L << 52;
  private static final long MAX_LOG = 1_000_000;
  private static final Duration MAX_WINDOW = Duration.ofDays(50 * 365);
  private static final long MAX_DRAIN = 100L * 365 * 24 * 3600 * 1_000_000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

  private final Kind kind;
  private final long amount;
  private final Duration window;
  private final long capacity;
  private final String name;
  private final boolean countsDenied;
  private final Algorithm algorithm;
  private final String identity;
  private final long identityHigh;
  private final long identityLow;

  // The share that was last asked for. Racing threads may each make one; all are equal.
  private @Nullable Part part;

  private Limit(
      Kind kind, long amount, Duration window, long capacity, String name, boolean countsDenied) {
    this.kind = kind;
    this.amount = within(amount, kind == Kind.SLIDING_LOG ? MAX_LOG : MAX_AMOUNT, "limit");
    this.window = window;
    this.capacity = within(capacity, MAX_AMOUNT, "burst");
    this.name = name;
    this.countsDenied = countsDenied;
    long micros = kind == Kind.QUOTA ? 0 : micros(window);
    this.algorithm = algorithm(micros);
    this.identity = kind.word() + ':' + micros + ':' + name;
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.feedIdentity(identity);
    // The lowest bit tells the clock: a store in memory must know it of rows whose limit it does
    // not.
    long high = (fingerprint.first() & ~1L) | (algorithm.followsWallClock() ? 1 : 0);
    this.identityHigh = high == 0 ? 2 : high;
    this.identityLow = fingerprint.second();
  }

  private static Limit of(Kind kind, long amount, Duration window) {
    return new Limit(kind, amount, window, amount, "", false);
  }

  /** At most {@code amount} in each window of the clock: a window of a day is the UTC day. */
  public static Limit fixedWindow(long amount, Duration window) {
    return of(Kind.FIXED_WINDOW, amount, window);
  }

  /** At most {@code amount} in a window that starts with the key's first hit. */
  public static Limit fixedWindowPerKey(long amount, Duration window) {
    return of(Kind.FIXED_WINDOW_PER_KEY, amount, window);
  }

  /** At most {@code amount} in any span of one window, to the microsecond. */
  public static Limit slidingLog(long amount, Duration window) {
    return of(Kind.SLIDING_LOG, amount, window);
  }

  /**
   * About {@code amount} in any span of one window: an estimate from two counts, which admits at
   * worst twice that, spread over a window.
   */
  public static Limit slidingCounter(long amount, Duration window) {
    return of(Kind.SLIDING_COUNTER, amount, window);
  }

  /** A bucket of {@code amount} tokens that starts full and refills evenly within a window. */
  public static Limit tokenBucket(long amount, Duration window) {
    return of(Kind.TOKEN_BUCKET, amount, window);
  }

  /** A bucket with room for {@code amount} that starts empty and drains evenly within a window. */
  public static Limit leakyBucket(long amount, Duration window) {
    return of(Kind.LEAKY_BUCKET, amount, window);
  }

  /** An amount that is spent once; only a reset gives it back. */
  public static Limit quota(long amount) {
    return of(Kind.QUOTA, amount, Decision.NEVER);
  }

  /** One limit from a rate string such as {@code "100/minute burst 20"}. */
  public static Limit parse(String rate) {
    return RateString.parse(rate);
  }

  /** Several limits from a list such as {@code "100/minute; 5000/day"}. */
  public static List<Limit> parseAll(String rates) {
    return RateString.parseAll(rates);
  }

  /** This bucket with another capacity: the most that can pass at once. */
  public Limit burst(long capacity) {
    if (!kind.isBucket()) {
      throw new IllegalArgumentException(
          "burst is for token-bucket and leaky-bucket, not for " + kind.word());
    }
    return new Limit(kind, amount, window, capacity, name, countsDenied);
  }

  /**
   * This limit under a name, so that it is counted apart from others of its algorithm and window.
   */
  public Limit named(String name) {
    if (name == null || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name must be 1 to 64 of the characters A-Z a-z 0-9 _ . -: " + Quoted.of(name));
    }
    return new Limit(kind, amount, window, capacity, name, countsDenied);
  }

  /**
   * This limit, charging every hit whether it fits or not, as a plain counter in Redis does. Use it
   * for reports of work that is already done: the units in use may then exceed the amount, and
   * further hits are refused until that debt has passed.
   *
   * <p>Every denied hit lengthens the wait. A client that retries earlier than it is told to, at
   * more than the limit's rate, may never be admitted.
   */
  public Limit countingDenied() {
    return new Limit(kind, amount, window, capacity, name, true);
  }

  /** This limit on a key, for one call. */
  public KeyedLimit on(String key) {
    return on(Key.of(key));
  }

  /** This limit on a key of bytes. */
  public KeyedLimit on(byte[] key) {
    return on(Key.of(key));
  }

  /** This limit on a key that is a number. */
  public KeyedLimit on(long key) {
    return on(Key.of(key));
  }

  /** This limit on a key. */
  public KeyedLimit on(Key key) {
    return new KeyedLimit(this, key, 1);
  }

  /** One of so many equal parts of a limit. */
  private record Part(int instances, Limit limit) {}

  /** This limit with a part of its amount and burst, for one of so many instances. */
  Limit share(int instances) {
    Part known = part;
    if (known == null || known.instances != instances) {
      known = new Part(instances, divided(instances));
      part = known;
    }
    return known.limit;
  }

  private Limit divided(int instances) {
    long share = Math.max(1, amount / instances);
    long burst = Math.max(1, capacity / instances);
    if (kind.isBucket()) {
      // An amount that is rounded down may refill its burst too slowly, see drainable.
      long most = MAX_DRAIN / micros(window) - 1;
      burst = (burst - 1) / share < most ? burst : share * most;
    }
    return new Limit(kind, share, window, burst, name, countsDenied);
  }

  private Algorithm algorithm(long micros) {
    return switch (kind) {
      case FIXED_WINDOW -> new FixedWindow(amount, micros, true, countsDenied);
      case FIXED_WINDOW_PER_KEY -> new FixedWindow(amount, micros, false, countsDenied);
      case SLIDING_LOG -> new SlidingLog(amount, micros, countsDenied);
      case SLIDING_COUNTER -> new SlidingCounter(amount, micros, unit(micros), countsDenied);
      case TOKEN_BUCKET, LEAKY_BUCKET ->
          new Bucket(amount, drainable(micros), capacity, countsDenied);
      case QUOTA -> new Quota(amount, countsDenied);
    };
  }

  private static long within(long n, long most, String what) {
    if (n < 1 || n > most) {
      throw new IllegalArgumentException(
          n < 1
              ? what + " must be at least 1: " + n
              : what + " must be at most " + most + ": " + n);
    }
    return n;
  }

  private static long micros(@Nullable Duration window) {
    if (window == null || window.isNegative() || window.isZero()) {
      throw new IllegalArgumentException("window must be longer than zero: " + window);
    }
    if (window.compareTo(MAX_WINDOW) > 0) {
      throw new IllegalArgumentException(
          "window must be at most 50 years (" + MAX_WINDOW + "): " + window);
    }
    if (window.toNanosPart() % 1000 != 0) {
      throw new IllegalArgumentException("window must be whole microseconds: " + window);
    }
    return window.toNanos() / 1000;
  }

  /** The finest unit in which amount · window stays below 2^53. */
  private long unit(long micros) {
    for (long unit = 1; unit <= 1_000_000; unit *= 1000) {
      if (micros % unit == 0 && Math.multiplyHigh(amount, micros / unit) == 0) {
        long product = amount * (micros / unit);
        if (product > 0 && product <= Algorithm.MAX_COUNT) {
          return unit;
        }
      }
    }
    throw new IllegalArgumentException(
        "limit times window of a sliding-counter must be below 2^53 in whole microseconds,"
            + " milliseconds or seconds: "
            + amount
            + " per "
            + window
            + "; use a token-bucket for a limit of this size");
  }

  /** A bucket that owes capacity and limit must drain within a lifetime. */
  private long drainable(long micros) {
    BigInteger drain =
        BigInteger.valueOf(capacity)
            .add(BigInteger.valueOf(amount))
            .multiply(BigInteger.valueOf(micros))
            .divide(BigInteger.valueOf(amount));
    if (drain.compareTo(BigInteger.valueOf(MAX_DRAIN)) > 0) {
      throw new IllegalArgumentException(
          "burst must refill within 100 years: burst "
              + capacity
              + " at "
              + amount
              + " per "
              + window);
    }
    return micros;
  }

  /** Which algorithm this limit has. */
  public Kind kind() {
    return kind;
  }

  /** How much is allowed in one window. */
  public long amount() {
    return amount;
  }

  /** The window; {@link Decision#NEVER} for a quota. */
  public Duration window() {
    return window;
  }

  /** The most that can pass at once: a bucket's burst, for all others the amount. */
  public long capacity() {
    return capacity;
  }

  /** The name given by {@link #named}, or an empty string. */
  public String name() {
    return name;
  }

  /** Whether denied hits are counted too. */
  public boolean countsDenied() {
    return countsDenied;
  }

  /** The five functions of this limit. For stores. */
  public Algorithm algorithm() {
    return algorithm;
  }

  /** What the counts belong to: the algorithm, the window and the name. For stores. */
  public String identity() {
    return identity;
  }

  /**
   * The first half of the {@link Fingerprint} of the identity, never zero. Its lowest bit is set if
   * the limit follows the wall clock. For stores.
   */
  public long identityHigh() {
    return identityHigh;
  }

  /** The second half of the {@link Fingerprint} of the identity. For stores. */
  public long identityLow() {
    return identityLow;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Limit that
            && kind == that.kind
            && amount == that.amount
            && window.equals(that.window)
            && capacity == that.capacity
            && name.equals(that.name)
            && countsDenied == that.countsDenied);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * identity.hashCode() + Long.hashCode(amount)) + Long.hashCode(capacity);
  }

  /** The rate string of this limit; {@link #parse} reads it back. */
  @Override
  public String toString() {
    return RateString.format(this);
  }
}
