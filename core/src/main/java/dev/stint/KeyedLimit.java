package dev.stint;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A limit on a key, with what this call costs it: {@code limit.on("tenant:7").cost(3)}.
 *
 * <p>Use it where the limit is known only in the call, or where one call must pass several limits
 * on several keys. Where all keys share the same limits, give those to the {@link RateLimiter}
 * instead.
 */
public final class KeyedLimit {

  private final Limit limit;
  private final Key key;
  private final long cost;
  private final boolean shadow;
  private final @Nullable String tag;
  private final long stamp;
  private final long fraction;
  private final List<Store> fallbacks;

  KeyedLimit(Limit limit, Key key, long cost) {
    this(limit, key, cost, false, null, 0, 0, List.of());
  }

  KeyedLimit(Limit limit, Key key, long cost, boolean shadow, @Nullable String tag) {
    this(limit, key, cost, shadow, tag, 0, 0, List.of());
  }

  /** What a decision charged, to be undone. */
  KeyedLimit(
      Limit limit, Key key, long charged, long stamp, long fraction, @Nullable Origin origin) {
    this(
        limit,
        key,
        charged,
        false,
        origin == null ? null : origin.tag(),
        stamp,
        fraction,
        origin == null ? List.of() : origin.fallbacks());
  }

  private KeyedLimit(
      Limit limit,
      Key key,
      long cost,
      boolean shadow,
      @Nullable String tag,
      long stamp,
      long fraction,
      List<Store> fallbacks) {
    if (limit == null) {
      throw new IllegalArgumentException("limit must not be null");
    }
    this.limit = limit;
    this.key = Key.required(key);
    this.cost = notNegative(cost);
    this.shadow = shadow;
    this.tag = tag;
    this.stamp = stamp;
    this.fraction = fraction;
    this.fallbacks = fallbacks;
  }

  /** The same, charging {@code cost} units instead of one. */
  public KeyedLimit cost(long cost) {
    return under(limit, positive(cost, "cost"));
  }

  /** The same, only watching: it is charged if it alone has room, and never refuses. */
  public KeyedLimit shadow() {
    return new KeyedLimit(limit, key, cost, true, tag, stamp, fraction, fallbacks);
  }

  /**
   * The same, kept together with everything else under {@code tag} where a store is spread over
   * several machines, so that a call over different keys stays strictly all or nothing.
   */
  public KeyedLimit in(String tag) {
    if (tag == null || tag.isEmpty()) {
      throw new IllegalArgumentException("tag must not be null or empty: " + Quoted.of(tag));
    }
    return new KeyedLimit(limit, key, cost, shadow, tag, stamp, fraction, fallbacks);
  }

  /**
   * The same with {@code n} units, which may be none. For callers of a {@link Store}: a set takes
   * zero, and a peek at zero units asks whether the limit is exceeded already.
   */
  public KeyedLimit amount(long n) {
    return under(limit, n);
  }

  /** The same under another limit, with other units. */
  KeyedLimit under(Limit limit, long n) {
    return new KeyedLimit(limit, key, n, shadow, tag, stamp, fraction, fallbacks);
  }

  /** Whether this charge was made after turning to {@code fallback}. */
  boolean wasChargedBy(Store fallback) {
    for (Store one : fallbacks) {
      if (one == fallback) {
        return true;
      }
    }
    return false;
  }

  /** This limit on a key, which must not be null. */
  static KeyedLimit required(@Nullable KeyedLimit limit) {
    if (limit == null) {
      throw new IllegalArgumentException("limit must not be null");
    }
    return limit;
  }

  static long positive(long n, String what) {
    if (n < 1) {
      throw new IllegalArgumentException(what + " must be at least 1: " + n);
    }
    return n;
  }

  static long notNegative(long n) {
    if (n < 0) {
      throw new IllegalArgumentException("n must be at least 0: " + n);
    }
    return n;
  }

  /** The limit. */
  public Limit limit() {
    return limit;
  }

  /** The key it is counted for. */
  public Key key() {
    return key;
  }

  /** The units that the operation is about. */
  public long cost() {
    return cost;
  }

  /** Whether this limit only watches. */
  public boolean isShadow() {
    return shadow;
  }

  /** Whether there is nothing to it but a limit, a key and a cost. */
  boolean isPlain() {
    return !shadow && tag == null;
  }

  /** The tag given by {@link #in}, or null. */
  public @Nullable String tag() {
    return tag;
  }

  /** The stamp of the charge to undo. For stores. */
  public long stamp() {
    return stamp;
  }

  /** The fraction of the charge to undo. For stores. */
  public long fraction() {
    return fraction;
  }

  /** The limit, key, cost and settings, for logs. */
  @Override
  public String toString() {
    return limit
        + " on "
        + key
        + " cost "
        + cost
        + (shadow ? " shadow" : "")
        + (tag == null ? "" : " in " + tag);
  }
}
