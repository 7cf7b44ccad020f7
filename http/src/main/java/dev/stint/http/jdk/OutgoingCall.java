package dev.stint.http.jdk;

import dev.stint.Decision;
import dev.stint.RateLimiter;
import dev.stint.TimeSource;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One call with all its attempts: whom it counts for, how long it may still wait. */
final class OutgoingCall {

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVICE_UNAVAILABLE = 503;

  /** Of these, to have done it twice is to have done it. */
  private static final Set<String> IDEMPOTENT =
      Set.of("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE");

  /** Longer than anybody waits, and far from where sums overflow. */
  private static final long MOST_MICROS = Long.MAX_VALUE / 4;

  private final HttpRequest request;
  private final String key;
  private final RateLimiter limiter;
  private final TimeSource time;
  private final Holds holds;
  private final long deadline;

  private final AtomicInteger retriesLeft;

  OutgoingCall(
      HttpRequest request,
      String key,
      RateLimiter limiter,
      TimeSource time,
      Holds holds,
      Duration longestWait,
      int retries) {
    this.request = request;
    this.key = key;
    this.limiter = limiter;
    this.time = time;
    this.holds = holds;
    this.deadline =
        time.micros() + Math.min(MOST_MICROS, TimeUnit.MICROSECONDS.convert(longestWait));
    this.retriesLeft = new AtomicInteger(retries);
  }

  /** Waits until no server holds the key back and the limits have room, and takes a unit. */
  void awaitTurn() throws HeldBackException, InterruptedException {
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

  void giveBack(Decision decision) {
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

  <T> Attempt<T> attempt(BodyHandler<T> handler) {
    return new Attempt<>(this, handler);
  }

  /** Takes note of what the server says, and tells whether the call is to be made again. */
  boolean heed(ResponseInfo response) {
    boolean untouched = response.statusCode() == TOO_MANY_REQUESTS;
    if (!untouched && response.statusCode() != SERVICE_UNAVAILABLE) {
      return false;
    }
    String text = response.headers().firstValue("Retry-After").orElse("");
    OptionalLong wait = RetryAfter.micros(text, time.wall(time.micros()));
    if (wait.isEmpty()) {
      return false;
    }
    holds.hold(key, wait.getAsLong());
    if (retriesLeft.get() == 0
        || (!untouched && !IDEMPOTENT.contains(request.method()))
        || time.micros() + wait.getAsLong() > deadline) {
      return false;
    }
    retriesLeft.decrementAndGet();
    return true;
  }
}
