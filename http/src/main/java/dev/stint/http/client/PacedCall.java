package dev.stint.http.client;

import dev.stint.Decision;
import dev.stint.RateLimiter;
import dev.stint.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One call with all its attempts: what it counts for, and how long it may still wait. */
public final class PacedCall {

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVICE_UNAVAILABLE = 503;

  /** Of these, to have done it twice is to have done it. */
  private static final Set<String> IDEMPOTENT =
      Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE");

  /** Longer than anybody waits, and far from where sums overflow. */
  private static final long MOST_MICROS = Long.MAX_VALUE / 4;

  private final String method;
  private final String key;
  private final RateLimiter limiter;
  private final TimeSource time;
  private final Holds holds;
  private final long deadline;

  private final AtomicInteger retriesLeft;

  PacedCall(
      String method,
      String key,
      RateLimiter limiter,
      TimeSource time,
      Holds holds,
      Duration longestWait,
      int retries) {
    this.method = method;
    this.key = key;
    this.limiter = limiter;
    this.time = time;
    this.holds = holds;
    this.deadline =
        time.micros() + Math.min(MOST_MICROS, TimeUnit.MICROSECONDS.convert(longestWait));
    this.retriesLeft = new AtomicInteger(retries);
  }

  /**
   * Waits until no server holds the key back and the limits have room, and takes a unit.
   *
   * @throws HeldBackException if that would take longer than the longest wait
   */
  public void awaitTurn() throws HeldBackException, InterruptedException {
    for (; ; ) {
      for (long held = held(); held > 0; held = held()) {
        time.sleep(held);
      }
      Decision decision = limiter.acquire(key, patience());
      check(decision);
      if (!isHeld()) {
        return;
      }
      giveBack(decision); // A server has spoken while this call stood in line.
    }
  }

  /**
   * As {@link #awaitTurn}, without blocking a thread. The future fails with {@link
   * HeldBackException}; cancelling it ends the wait. What it brings can be {@linkplain #giveBack
   * given back} if the call is not made after all.
   */
  public CompletableFuture<Decision> turn() {
    return new Turn(this).start();
  }

  /**
   * Microseconds for which a server holds the key back; 0 if none does.
   *
   * @throws HeldBackException if that is too long to wait for
   */
  long held() throws HeldBackException {
    long held = holds.left(key);
    if (held > 0 && time.micros() + held > deadline) {
      Duration wait = Duration.of(held, ChronoUnit.MICROS);
      throw tooLong("by the server for another " + wait, wait);
    }
    return held;
  }

  boolean isHeld() {
    return holds.left(key) > 0;
  }

  CompletableFuture<Void> delay(long micros) {
    return time.delay(micros);
  }

  CompletableFuture<Decision> acquire() {
    return limiter.acquireAsync(key, patience());
  }

  /** Gives back the unit of a turn that was not used. */
  public void giveBack(Decision decision) {
    var unused = limiter.refundAsync(decision);
  }

  private Duration patience() {
    return Duration.of(Math.max(0, deadline - time.micros()), ChronoUnit.MICROS);
  }

  void check(Decision decision) throws HeldBackException {
    if (!decision.allowed()) {
      throw tooLong("here, " + decision, decision.retryAfter());
    }
  }

  private HeldBackException tooLong(String why, Duration wait) {
    return new HeldBackException(
        "a call must get its turn within the longest wait: " + key + " is held back " + why, wait);
  }

  /**
   * Takes note of what the server says, and tells whether the call is to be made again, at its next
   * turn.
   *
   * @param status the status of the response
   * @param retryAfter the value of its header {@code Retry-After}; null if it has none
   */
  public boolean heed(int status, @Nullable String retryAfter) {
    boolean untouched = status == TOO_MANY_REQUESTS;
    if (retryAfter == null || (!untouched && status != SERVICE_UNAVAILABLE)) {
      return false;
    }
    OptionalLong wait = RetryAfter.micros(retryAfter, time.wall(time.micros()));
    if (wait.isEmpty()) {
      return false;
    }
    holds.hold(key, wait.getAsLong());
    if (retriesLeft.get() == 0
        || (!untouched && !IDEMPOTENT.contains(method))
        || time.micros() + wait.getAsLong() > deadline) {
      return false;
    }
    retriesLeft.decrementAndGet();
    return true;
  }
}
