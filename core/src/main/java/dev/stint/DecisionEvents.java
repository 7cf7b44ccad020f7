package dev.stint;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Tells a listener of refusals, of limits that are nearly used up, and of decisions without the
 * store.
 *
 * <pre>{@code
 * Store watched = DecisionEvents.to(listener).nearLimit(0.9).around(redis);
 * }</pre>
 *
 * <p>The listener hears of each kind and each name of a limit once in an interval at most, and how
 * many events it was spared. So a flood of refusals does not become a flood of messages. Limits
 * that only watch are not told of.
 */
public final class DecisionEvents {

  private static final double OFF = Double.POSITIVE_INFINITY;

  private final DecisionListener listener;
  private final double share;
  private final long intervalMicros;

  private DecisionEvents(DecisionListener listener, double share, long intervalMicros) {
    this.listener = listener;
    this.share = share;
    this.intervalMicros = intervalMicros;
  }

  /** Events for this listener, one a second at most, without those of near limits. */
  public static DecisionEvents to(DecisionListener listener) {
    if (listener == null) {
      throw new IllegalArgumentException("listener must not be null");
    }
    return new DecisionEvents(listener, OFF, TimeUnit.SECONDS.toMicros(1));
  }

  /** These events, and those of limits of which this share is used, such as 0.9. */
  public DecisionEvents nearLimit(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "the share of a limit must be more than 0 and at most 1: " + share);
    }
    return new DecisionEvents(listener, share, intervalMicros);
  }

  /** These events, one of each kind and name in this time at most. */
  public DecisionEvents interval(Duration interval) {
    if (interval == null || interval.isNegative()) {
      throw new IllegalArgumentException("the interval must be zero or longer: " + interval);
    }
    return new DecisionEvents(listener, share, TimeUnit.MICROSECONDS.convert(interval));
  }

  /** A store that decides as {@code store} does, and tells of it. Closing it closes that. */
  public Store around(Store store) {
    if (store == null) {
      throw new IllegalArgumentException("store must not be null");
    }
    return new NotifyingStore(store, listener, share, intervalMicros);
  }
}
