package dev.stint;

import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Operation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hits again and again until one is admitted, sleeping in between for exactly as long as the
 * refusal said.
 *
 * <p>A refusal charges nothing, so a wait that ends early has nothing to give back, with two
 * exceptions. One is a future that is cancelled at the very moment of its admission. The other is a
 * limit that counts denied hits: it is asked with a peek before each hit, so that only a hit that
 * another caller forestalls is denied. What either charged is given back.
 */
final class Waiting {

  private final TimeSource time;
  private final long deadline;

  private Waiting(TimeSource time, Duration timeout) {
    if (timeout == null || timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must be zero or longer: " + timeout);
    }
    this.time = time;
    long now = time.micros();
    long most = Algorithm.NEVER - now;
    boolean endless = timeout.compareTo(Duration.ofSeconds(most / 1_000_000)) >= 0;
    this.deadline =
        now + (endless ? most : timeout.toSeconds() * 1_000_000 + timeout.toNanosPart() / 1000);
  }

  /**
   * Waits in the calling thread.
   *
   * @param counting whether a denied hit may be charged
   */
  static Decision now(
      TimeSource time,
      Duration timeout,
      boolean counting,
      Function<Operation, Decision> ask,
      Consumer<Decision> refund)
      throws InterruptedException {
    Waiting waiting = new Waiting(time, timeout);
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before waiting for room");
    }
    for (; ; ) {
      Decision decision = ask.apply(counting ? Operation.PEEK : Operation.HIT);
      if (counting && decision.allowed()) {
        decision = ask.apply(Operation.HIT);
      }
      if (decision.allowed()) {
        return decision;
      }
      if (isCharged(decision)) {
        refund.accept(decision);
      } else if (waiting.isWorthwhile(decision)) {
        time.sleep(decision.waitMicros());
      } else {
        return decision;
      }
    }
  }

  /** Waits without a thread, see {@link #now}. */
  static CompletableFuture<Decision> async(
      TimeSource time,
      Duration timeout,
      boolean counting,
      Function<Operation, CompletionStage<Decision>> ask,
      Function<Decision, CompletionStage<?>> refund) {
    Promise promise = new Promise(new Waiting(time, timeout), counting, ask, refund);
    promise.attempt();
    return promise.result;
  }

  /** A wait that nobody sits through. */
  private static final class Promise {

    private final Waiting waiting;
    private final boolean counting;
    private final Function<Operation, CompletionStage<Decision>> ask;
    private final Function<Decision, CompletionStage<?>> refund;
    private final CompletableFuture<Decision> result = new CompletableFuture<>();
    private volatile CompletableFuture<?> delay = result;

    Promise(
        Waiting waiting,
        boolean counting,
        Function<Operation, CompletionStage<Decision>> ask,
        Function<Decision, CompletionStage<?>> refund) {
      this.waiting = waiting;
      this.counting = counting;
      this.ask = ask;
      this.refund = refund;
      CompletableFuture<?> unused = result.whenComplete((any, end) -> delay.cancel(false));
    }

    private void attempt() {
      try {
        if (!result.isDone()) {
          CompletionStage<?> unused = hit().whenComplete(this::settle);
        }
      } catch (RuntimeException e) {
        result.completeExceptionally(e);
      }
    }

    private CompletionStage<Decision> hit() {
      if (!counting) {
        return ask.apply(Operation.HIT);
      }
      return ask.apply(Operation.PEEK)
          .thenCompose(
              peek ->
                  peek.allowed()
                      ? ask.apply(Operation.HIT)
                      : CompletableFuture.completedStage(peek));
    }

    private void settle(Decision decision, @Nullable Throwable failure) {
      try {
        if (failure != null) {
          result.completeExceptionally(failure);
        } else if (decision.allowed()) {
          if (!result.complete(decision)) {
            CompletionStage<?> unused = refund.apply(decision);
          }
        } else if (isCharged(decision)) {
          CompletionStage<?> unused =
              refund.apply(decision).whenComplete((done, lost) -> attemptUnless(lost));
        } else if (waiting.isWorthwhile(decision)) {
          await(decision.waitMicros());
        } else {
          result.complete(decision);
        }
      } catch (RuntimeException e) {
        result.completeExceptionally(e);
      }
    }

    private void await(long micros) {
      CompletableFuture<Void> next = waiting.time.delay(micros);
      delay = next;
      if (result.isDone()) {
        next.cancel(false);
      }
      CompletionStage<?> unused = next.whenComplete((done, failure) -> attemptUnless(failure));
    }

    private void attemptUnless(@Nullable Throwable failure) {
      if (failure == null) {
        attempt();
      } else {
        result.completeExceptionally(failure); // no-op if this is the cancellation
      }
    }
  }

  /** Whether a refusal was charged. Its wait counts the charge in, so it is asked again without. */
  private static boolean isCharged(Decision refused) {
    return !refused.charges().isEmpty();
  }

  private boolean isWorthwhile(Decision decision) {
    return !decision.neverFits() && time.micros() + decision.waitMicros() <= deadline;
  }
}
