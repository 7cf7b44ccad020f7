package dev.stint;

import dev.stint.algorithm.Algorithm;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Hits again and again until one is admitted, sleeping in between for exactly as long as the
 * refusal said.
 *
 * <p>A refusal charges nothing, so a wait that ends early has nothing to give back. Only a future
 * that is cancelled at the very moment of its admission has, and does.
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

  static Decision now(TimeSource time, Duration timeout, Supplier<Decision> hit)
      throws InterruptedException {
    Waiting waiting = new Waiting(time, timeout);
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before waiting for room");
    }
    Decision decision = hit.get();
    while (waiting.isWorthwhile(decision)) {
      time.sleep(decision.waitMicros());
      decision = hit.get();
    }
    return decision;
  }

  static CompletableFuture<Decision> async(
      TimeSource time,
      Duration timeout,
      Supplier<CompletionStage<Decision>> hit,
      Consumer<Decision> refund) {
    CompletableFuture<Decision> result = new CompletableFuture<>();
    new Waiting(time, timeout).attempt(hit, refund, result);
    return result;
  }

  private void attempt(
      Supplier<CompletionStage<Decision>> hit,
      Consumer<Decision> refund,
      CompletableFuture<Decision> result) {
    if (result.isDone()) {
      return;
    }
    hit.get()
        .whenComplete(
            (decision, failure) -> {
              if (failure != null) {
                result.completeExceptionally(failure);
              } else if (isWorthwhile(decision)) {
                CompletableFuture<Void> delay = time.delay(decision.waitMicros());
                CompletionStage<?> unused = delay.thenRun(() -> attempt(hit, refund, result));
                unused = result.whenComplete((any, end) -> delay.cancel(false));
              } else if (!result.complete(decision)) {
                refund.accept(decision);
              }
            });
  }

  private boolean isWorthwhile(Decision decision) {
    return !decision.allowed()
        && !decision.neverFits()
        && time.micros() + decision.waitMicros() <= deadline;
  }
}
