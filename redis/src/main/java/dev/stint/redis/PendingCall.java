package dev.stint.redis;

import dev.stint.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A question on its way to Redis and back. It ends once, with an answer or a {@link
 * StoreException}, at its deadline at the latest.
 */
final class PendingCall extends DeadlineQueue.Entry {

  /** What a call is for, which decides how long it may take. */
  enum Kind {
    /** A user waits for it. */
    DECISION,
    /** A part of a decision. One that was sent is heard even after the deadline. */
    LEG,
    /** Gives back a charge. No user waits for it. */
    UNDO,
    /** Finds out whether the server is well. */
    PROBE
  }

  /** A call weighs one for each so many places, and one at least. */
  private static final int PLACES = 10;

  private final Kind kind;
  private final Question question;
  private final Breaker breaker;
  private final CommandDispatcher dispatcher;
  private final long deadline;
  private final CompletableFuture<Answer> result = new CompletableFuture<>();

  // Where it waits for its turn; see CallQueue, whose lock guards these.
  final int lane;
  volatile boolean waits;
  @Nullable PendingCall previousInLane;
  @Nullable PendingCall nextInLane;

  PendingCall(
      Kind kind,
      Question question,
      Breaker breaker,
      CommandDispatcher dispatcher,
      long deadline,
      int lane) {
    super((question.size() + PLACES - 1) / PLACES);
    this.kind = kind;
    this.question = question;
    this.breaker = breaker;
    this.dispatcher = dispatcher;
    this.deadline = deadline;
    this.lane = lane;
  }

  Kind kind() {
    return kind;
  }

  Question question() {
    return question;
  }

  Breaker breaker() {
    return breaker;
  }

  long deadline() {
    return deadline;
  }

  /** How it ends. Its continuations run on an I/O thread or on the timer's: none may block. */
  CompletableFuture<Answer> result() {
    return result;
  }

  boolean isDone() {
    return result.isDone();
  }

  void answered(Answer answer) {
    result.complete(answer);
    dispatcher.ended(this);
  }

  /** Ends this with a failure; returns whether it had not ended before. */
  boolean fail(String reason) {
    // Most have ended well when they are told to fail: no exception for those.
    boolean first = !isDone() && result.completeExceptionally(new StoreException(reason));
    dispatcher.ended(this);
    if (first) {
      dispatcher.failed(this, reason);
    }
    return first;
  }

  /**
   * Ends this because its time is over. That says nothing of the server: it may have waited for its
   * turn for most of the time. What does is a {@link Batch} that is not answered.
   */
  @Override
  void expire() {
    // Whether a leg is sent is decided by taking it out of the line, in one step: one that the line
    // no longer has may have been sent, or is about to be.
    if (kind == Kind.LEG
        && !isDone()
        && !dispatcher.isClosed()
        && !breaker.calls().withdraw(this)
        && dispatcher.awaitLate(this)) {
      return;
    }
    fail(dispatcher.isClosed() ? CommandDispatcher.CLOSED : dispatcher.tooLate());
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
          return result.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
          expire();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw StoreFailure.of(e);
        }
      }
    } finally {
      dispatcher.ended(this);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
