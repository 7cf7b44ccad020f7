package dev.stint.http.jdk;

import dev.stint.Decision;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.concurrent.CompletableFuture;

/** A call that nobody sits through: what {@link PacedClient#send} does, step by step. */
final class PromisedResponse<T> {

  private interface Step<T> {
    void take(T value) throws HeldBackException;
  }

  private final HttpClient client;
  private final HttpRequest request;
  private final BodyHandler<T> handler;
  private final OutgoingCall call;
  private final CompletableFuture<HttpResponse<T>> result = new CompletableFuture<>();
  private volatile CompletableFuture<?> underWay = result;

  PromisedResponse(
      HttpClient client, HttpRequest request, BodyHandler<T> handler, OutgoingCall call) {
    this.client = client;
    this.request = request;
    this.handler = handler;
    this.call = call;
    CompletableFuture<?> unused = result.whenComplete((any, end) -> underWay.cancel(true));
  }

  CompletableFuture<HttpResponse<T>> result() {
    return result;
  }

  void start() {
    try {
      awaitTurn();
    } catch (HeldBackException | RuntimeException e) {
      result.completeExceptionally(e);
    }
  }

  private void awaitTurn() throws HeldBackException {
    long held = call.held();
    if (held > 0) {
      follow(call.delay(held), done -> awaitTurn());
    } else {
      follow(call.acquire(), this::send);
    }
  }

  private void send(Decision decision) throws HeldBackException {
    call.check(decision);
    if (result.isDone()) {
      call.giveBack(decision);
    } else if (call.isHeld()) {
      call.giveBack(decision); // A server has spoken while this call stood in line.
      awaitTurn();
    } else {
      Attempt<T> attempt = call.attempt(handler);
      follow(client.sendAsync(request, attempt), response -> received(attempt, response));
    }
  }

  private void received(Attempt<T> attempt, HttpResponse<T> response) throws HeldBackException {
    if (attempt.isToBeRepeated()) {
      awaitTurn();
    } else {
      result.complete(response);
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
