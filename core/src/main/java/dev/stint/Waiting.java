package dev.stint;

import dev.stint.Waiter.Turn;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Operation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One call that waits until it is admitted: it asks when it is its {@linkplain WaitingLines turn},
 * and sleeps for exactly as long as a refusal said.
 *
 * <p>A refusal charges nothing, so a wait that ends early has nothing to give back. Where a limit
 * counts denied hits this is made so by peeking first; only a hit that is refused although there
 * was room a moment ago has to be given back, and so has that of a future that is cancelled at the
 * very moment of its admission. If the store fails to take it back, the charge stays.
 */
final class Waiting {

  private final RateLimiter limiter;
  private final TimeSource time;
  private final @Nullable Executor executor;
  private final WaitingLines lines;
  private final List<KeyedLimit> asked;
  private final boolean countsDenied;
  private final long deadline;
  private final long number;

  Waiting(
      RateLimiter limiter,
      TimeSource time,
      @Nullable Executor executor,
      WaitingLines lines,
      List<KeyedLimit> asked,
      Duration timeout) {
    if (timeout == null || timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must be zero or longer: " + timeout);
    }
    this.limiter = limiter;
    this.time = time;
    this.executor = executor;
    this.lines = lines;
    this.asked = asked;
    this.countsDenied = asked.stream().anyMatch(one -> one.limit().countsDenied());
    this.number = lines.number();
    long now = time.micros();
    long most = Algorithm.NEVER - now;
    boolean endless = timeout.compareTo(Duration.ofSeconds(most / 1_000_000)) >= 0;
    this.deadline =
        now + (endless ? most : timeout.toSeconds() * 1_000_000 + timeout.toNanosPart() / 1000);
  }

  // In the caller's thread

  Decision block() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before waiting for room");
    }
    boolean free = lines.areFree(asked);
    Decision last = free ? hit() : peek();
    if (isFinal(last, free)) {
      return last;
    }
    Waiter waiter = lines.arrive(asked, deadline, number);
    try {
      CompletableFuture<Turn> next =
          free ? lines.refused(waiter, last, time.micros()) : lines.enter(waiter, time.micros());
      for (; ; ) {
        switch (await(next)) {
          case SLEEP -> {
            time.sleep(last.waitMicros());
            next = lines.enter(waiter, time.micros());
          }
          case ASK -> {
            last = hit();
            if (isFinal(last, true)) {
              return last;
            }
            next = lines.refused(waiter, last, time.micros());
          }
          case GIVE_UP -> {
            Decision state = peek();
            return state.degraded() ? hit() : givenUp(waiter, state);
          }
        }
      }
    } finally {
      lines.leave(waiter);
    }
  }

  private static Turn await(CompletableFuture<Turn> next) throws InterruptedException {
    try {
      return next.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a turn must not fail", e);
    }
  }

  private Decision peek() {
    return limiter.ask(Operation.PEEK, asked);
  }

  /** A hit; refused, it has charged nothing. */
  private Decision hit() {
    for (; ; ) {
      Decision state = countsDenied ? peek() : null;
      if (state != null && !state.allowed()) {
        return state;
      }
      Decision hit = limiter.ask(Operation.HIT, asked);
      if (hit.allowed() || !countsDenied) {
        return hit;
      }
      try {
        limiter.refund(hit);
      } catch (StoreException e) {
        // The charge stays. Asking again shows what has become of the store.
      }
    }
  }

  // What both have in common

  /** Whether this answer ends the wait: it is admitted, or waiting for it would be in vain. */
  private boolean isFinal(Decision answer, boolean hit) {
    return answer.allowed()
        ? hit
        : answer.neverFits() || time.micros() + answer.waitMicros() > deadline;
  }

  /** The answer to a waiter that cannot get in before its deadline because of those ahead. */
  private Decision givenUp(Waiter waiter, Decision state) {
    return state.refused(Math.max(state.waitMicros(), waiter.aheadUntil - time.micros()));
  }

  // As a future

  CompletableFuture<Decision> promise() {
    Promise promise = new Promise();
    promise.start();
    return promise.result;
  }

  private CompletionStage<Decision> peekAsync() {
    return limiter.askAsync(Operation.PEEK, asked);
  }

  /** Something to do with what a stage came to. */
  private interface Step<T> {
    void take(T result);
  }

  /**
   * A wait that no thread sits through. Its steps run in the thread of the caller until there is
   * something to wait for, and then on the executor of the clock.
   */
  private final class Promise {

    private final CompletableFuture<Decision> result = new CompletableFuture<>();
    private volatile @Nullable Waiter waiter;
    private volatile @Nullable CompletableFuture<Void> delay;
    private volatile boolean returned;

    private void start() {
      CompletableFuture<?> unused = result.whenComplete((decision, end) -> end());
      boolean free = lines.areFree(asked);
      then(free ? hitAsync() : peekAsync(), first -> arrive(first, free));
      returned = true;
    }

    /** As {@link #hit}. */
    private CompletionStage<Decision> hitAsync() {
      if (!countsDenied) {
        return askAsync();
      }
      return peekAsync()
          .thenCompose(
              state ->
                  state.allowed()
                      ? askAsync().thenCompose(this::uncounted)
                      : CompletableFuture.completedFuture(state));
    }

    /** A hit. If the store fails, a future that was cancelled meanwhile admits no caller. */
    private CompletionStage<Decision> askAsync() {
      return limiter.askAsync(Operation.HIT, asked, () -> !result.isDone());
    }

    private CompletionStage<Decision> uncounted(Decision hit) {
      return hit.allowed()
          ? CompletableFuture.completedFuture(hit)
          : limiter.refundAsync(hit).handle((done, failure) -> null).thenCompose(any -> hitAsync());
    }

    private void arrive(Decision first, boolean free) {
      if (result.isDone() || isFinal(first, free)) {
        finish(first);
        return;
      }
      Waiter me = lines.arrive(asked, deadline, number);
      waiter = me;
      long now = time.micros();
      go(me, free ? lines.refused(me, first, now) : lines.enter(me, now), first);
      if (result.isDone()) {
        end(); // it may have been cancelled before there was a waiter to leave
      }
    }

    private void go(Waiter me, CompletableFuture<Turn> next, Decision last) {
      then(
          next,
          turn -> {
            if (result.isDone()) {
              return;
            }
            switch (turn) {
              case SLEEP -> sleep(me, last);
              case ASK -> then(hitAsync(), answer -> answered(me, answer));
              case GIVE_UP -> then(peekAsync(), state -> giveUp(me, state));
            }
          });
    }

    private void sleep(Waiter me, Decision last) {
      CompletableFuture<Void> pause = time.delay(last.waitMicros());
      delay = pause;
      if (result.isDone()) {
        pause.cancel(false);
      }
      then(pause, done -> go(me, lines.enter(me, time.micros()), last));
    }

    private void answered(Waiter me, Decision answer) {
      if (result.isDone() || isFinal(answer, true)) {
        finish(answer);
      } else {
        go(me, lines.refused(me, answer, time.micros()), answer);
      }
    }

    private void giveUp(Waiter me, Decision state) {
      if (state.degraded()) {
        then(hitAsync(), this::finish);
      } else {
        finish(givenUp(me, state));
      }
    }

    private void finish(Decision decision) {
      end();
      Executor chosen = executor;
      if (chosen == null || !returned) {
        complete(decision);
        return;
      }
      try {
        chosen.execute(() -> complete(decision));
      } catch (RuntimeException e) { // an executor that is shut down must not lose the answer
        complete(decision);
      }
    }

    private void complete(Decision decision) {
      if (!result.complete(decision) && decision.allowed()) {
        CompletionStage<?> unused = limiter.refundAsync(decision);
      }
    }

    /** Leaves all lines and cancels the pending timer. */
    private void end() {
      Waiter me = waiter;
      if (me != null) {
        lines.leave(me);
      }
      CompletableFuture<Void> pause = delay;
      if (pause != null) {
        pause.cancel(false);
      }
    }

    /** Takes a step at once if the stage is complete, or else on the executor of the clock. */
    private <T> void then(CompletionStage<T> stage, Step<T> step) {
      CompletableFuture<T> future = stage.toCompletableFuture();
      if (future.isDone()) {
        CompletableFuture<?> unused =
            future.whenComplete((got, failure) -> take(got, failure, step));
      } else {
        CompletableFuture<?> unused =
            future
                .whenCompleteAsync((got, failure) -> take(got, failure, step), time.executor())
                .whenComplete((got, failure) -> fail(failure)); // if there was no thread for it
      }
    }

    private <T> void take(T got, @Nullable Throwable failure, Step<T> step) {
      Throwable failed = failure;
      if (failed == null) {
        try {
          step.take(got);
        } catch (RuntimeException | Error e) {
          failed = e;
        }
      }
      fail(failed);
    }

    private void fail(@Nullable Throwable failure) {
      if (failure != null) {
        result.completeExceptionally(failure); // no-op if this is the cancelled delay
      }
    }
  }
}
