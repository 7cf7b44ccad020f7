package dev.stint;

import dev.stint.algorithm.Algorithm;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hits again and again until one is admitted, sleeping in between for exactly as long as the
 * refusal said.
 *
 * <p>A refusal charges nothing, so a wait that ends early has nothing to give back, with two
 * exceptions: a limit that counts denied hits, and a future that is cancelled at the very moment of
 * its admission. What those charged is given back.
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

  static Decision now(
      TimeSource time, Duration timeout, Supplier<Decision> hit, Consumer<Decision> refund)
      throws InterruptedException {
    Waiting waiting = new Waiting(time, timeout);
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before waiting for room");
    }
    for (; ; ) {
      Decision decision = hit.get();
      if (decision.allowed()) {
        return decision;
      }
      refund.accept(decision);
      if (!waiting.isWorthwhile(decision)) {
        return decision;
      }
      time.sleep(decision.waitMicros());
    }
  }

  static CompletableFuture<Decision> async(
      TimeSource time,
      Duration timeout,
      Supplier<CompletionStage<Decision>> hit,
      Consumer<Decision> refund) {
    Promise promise = new Promise(new Waiting(time, timeout), hit, refund);
    promise.attempt();
    return promise.result;
  }

  /** A wait that nobody sits through. */
  private static final class Promise {

    private final Waiting waiting;
    private final Supplier<CompletionStage<Decision>> hit;
    private final Consumer<Decision> refund;
    private final CompletableFuture<Decision> result = new CompletableFuture<>();
    private volatile CompletableFuture<?> delay = result;

    Promise(Waiting waiting, Supplier<CompletionStage<Decision>> hit, Consumer<Decision> refund) {
      this.waiting = waiting;
      this.hit = hit;
      this.refund = refund;
      CompletableFuture<?> unused = result.whenComplete((any, end) -> delay.cancel(false));
    }

    private void attempt() {
      try {
        if (!result.isDone()) {
          CompletionStage<?> unused = hit.get().whenComplete(this::settle);
        }
      } catch (RuntimeException e) {
        result.completeExceptionally(e);
      }
    }

    private void settle(Decision decision, @Nullable Throwable failure) {
      try {
        if (failure != null) {
          result.completeExceptionally(failure);
        } else if (decision.allowed()) {
          if (!result.complete(decision)) {
            refund.accept(decision);
          }
        } else {
          refund.accept(decision);
          if (waiting.isWorthwhile(decision)) {
            await(decision.waitMicros());
          } else {
            result.complete(decision);
          }
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
      CompletionStage<?> unused =
          next.whenComplete(
              (done, failure) -> {
                if (failure == null) {
                  attempt();
                } else {
                  result.completeExceptionally(failure); // no-op if this is the cancellation
                }
              });
    }
  }

  private boolean isWorthwhile(Decision decision) {
    return !decision.neverFits() && time.micros() + decision.waitMicros() <= deadline;
  }
}
