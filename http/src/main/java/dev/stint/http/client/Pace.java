package dev.stint.http.client;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.memory.MemoryStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How fast calls to other servers may be made, and when those want to be called again. This is what
 * paced clients have in common; make one of your own with it if there is none for your library:
 *
 * <pre>{@code
 * PacedCall call = pace.call("GET", "api.example.com");
 * do {
 *   call.awaitTurn();
 *   response = client.execute(request);
 * } while (call.heed(response.status(), response.header("Retry-After")));
 * }</pre>
 *
 * <p>A call waits for its turn. After an answer of 429 or 503 with {@code Retry-After}, all calls
 * of the same key wait for as long as it says, and this one is to be made again: after 429, which
 * means that nothing was done, by any method; after 503 only by those that may be repeated, such as
 * GET and PUT. No wait ends later than the longest wait after the call began.
 *
 * <p>The limits are kept in the store, by all who share it; what servers say is kept here.
 */
public final class Pace {

  private final RateLimiter limiter;
  private final TimeSource time;
  private final Holds holds;
  private final Duration longestWait;
  private final int retries;

  private Pace(Builder settings) {
    Store store = settings.store == null ? MemoryStore.create() : settings.store;
    this.limiter = RateLimiter.of(store, settings.limits);
    this.time = store.time();
    this.holds = new Holds(time);
    this.longestWait = settings.longestWait;
    this.retries = settings.retries;
  }

  /** A pace by a list of limits such as {@code "10/second; 5000/day"} for each key. */
  public static Pace of(String limits) {
    return builder(Limit.parseAll(limits).toArray(Limit[]::new)).build();
  }

  /** A pace by these limits, with settings. */
  public static Builder builder(Limit... limits) {
    return new Builder(limits);
  }

  /**
   * A call that begins now.
   *
   * @param method the method of HTTP, in capitals
   * @param key what is called, such as the name of the host
   */
  public PacedCall call(String method, String key) {
    if (key == null || key.isEmpty()) {
      throw new IllegalArgumentException("a call must have a key, not null or an empty one");
    }
    return new PacedCall(method, key, limiter, time, holds, longestWait, retries);
  }

  /** Settings of a {@link Pace}. */
  public static final class Builder {

    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

    private final Limit[] limits;
    private @Nullable Store store;
    private Duration longestWait = HALF_A_MINUTE;
    private int retries = 2;

    private Builder(Limit... limits) {
      if (limits.length == 0) {
        throw new IllegalArgumentException("a paced client must have at least one limit: 0");
      }
      this.limits = limits.clone();
    }

    /** Keeps the limits in this store, rather than in memory; and lives by its time. */
    public Builder store(Store store) {
      if (store == null) {
        throw new IllegalArgumentException("store must not be null");
      }
      this.store = store;
      return this;
    }

    /** Waits so long at most, all waits of a call together; half a minute if not given. */
    public Builder longestWait(Duration longestWait) {
      if (longestWait == null || longestWait.isNegative()) {
        throw new IllegalArgumentException(
            "the longest wait must be zero or longer: " + longestWait);
      }
      this.longestWait = longestWait;
      return this;
    }

    /** Makes a call again so often at most; twice if not given. */
    public Builder retries(int retries) {
      if (retries < 0) {
        throw new IllegalArgumentException("retries must be 0 or more: " + retries);
      }
      this.retries = retries;
      return this;
    }

    /** A pace with these settings. */
    public Pace build() {
      return new Pace(this);
    }
  }
}
