package dev.stint.redis;

import dev.stint.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A question on its way to Redis and back. It ends with an answer or a {@link StoreException}, at
 * its deadline at the latest, and once.
 */
final class Pending extends CompletableFuture<Answer> implements Deadlines.Timed {

  private final Question question;
  private final Breaker breaker;
  private final Courier courier;
  private final long deadline;
  private final boolean probe;

  Pending(Question question, Breaker breaker, Courier courier, long deadline, boolean probe) {
    this.question = question;
    this.breaker = breaker;
    this.courier = courier;
    this.deadline = deadline;
    this.probe = probe;
  }

  Question question() {
    return question;
  }

  /** Whether no user waits for this. */
  boolean isProbe() {
    return probe;
  }

  void answered(Answer answer) {
    if (complete(answer)) {
      breaker.succeeded();
      courier.answered();
    }
  }

  /** Ends this with a failure that says something of the server's health. */
  void failed(String reason) {
    if (failedInItself(reason)) {
      breaker.failed(reason);
    }
  }

  /** Ends this with a failure that is nobody else's. */
  boolean failedInItself(String reason) {
    // Most have ended well when their deadline is looked at: no exception for those.
    boolean first = !isDone() && completeExceptionally(new StoreException(reason));
    if (first) {
      courier.failed(this, reason);
    }
    return first;
  }

  @Override
  public long deadline() {
    return deadline;
  }

  @Override
  public void expire() {
    failed(courier.tooLate());
  }

  /**
   * Waits for the end, which is no further away than the deadline; therefore an interrupt does not
   * end the wait, and is still there after it.
   */
  Answer await() {
    boolean interrupted = false;
    try {
      for (; ; ) {
        try {
          return get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
          expire();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw StoreFailure.of(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
