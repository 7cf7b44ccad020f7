package dev.stint.http.client;

import dev.stint.Decision;
import java.util.concurrent.CompletableFuture;

/** A turn that nobody sits through: what {@link PacedCall#awaitTurn} does, step by step. */
final class Turn {

  private interface Step<T> {
    void take(T value) throws HeldBackException;
  }

  private final PacedCall call;
  private final CompletableFuture<Decision> result = new CompletableFuture<>();
  private volatile CompletableFuture<?> underWay = result;

  Turn(PacedCall call) {
    this.call = call;
    CompletableFuture<?> unused = result.whenComplete((any, end) -> underWay.cancel(true));
  }

  CompletableFuture<Decision> start() {
    try {
      await();
    } catch (HeldBackException | RuntimeException e) {
      result.completeExceptionally(e);
    }
    return result;
  }

  private void await() throws HeldBackException {
    long held = call.held();
    if (held > 0) {
      follow(call.delay(held), done -> await());
    } else {
      follow(call.acquire(), this::acquired);
    }
  }

  private void acquired(Decision decision) throws HeldBackException {
    call.check(decision);
    if (call.isHeld()) {
      call.giveBack(decision); // A server has spoken while this call stood in line.
      await();
    } else if (!result.complete(decision)) {
      call.giveBack(decision);
    }
  }

  private <V> void follow(CompletableFuture<V> next, Step<V> step) {
    underWay = next;
    if (result.isDone()) {
      next.cancel(true);
    }
    CompletableFuture<?> unused =
        next.whenComplete(
            (value, failure) -> {
              try {
                if (failure == null) {
                  step.take(value);
                } else {
                  result.completeExceptionally(failure); // no-op if this is the cancellation
                }
              } catch (HeldBackException | RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
  }
}
