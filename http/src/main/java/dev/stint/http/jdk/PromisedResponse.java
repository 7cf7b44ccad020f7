package dev.stint.http.jdk;

import dev.stint.Decision;
import dev.stint.http.client.PacedCall;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A call that nobody sits through: what {@link PacedClient#send} does, step by step. */
final class PromisedResponse<T> {

  private final HttpClient client;
  private final HttpRequest request;
  private final BodyHandler<T> handler;
  private final PacedCall call;
  private final CompletableFuture<HttpResponse<T>> result = new CompletableFuture<>();
  private volatile CompletableFuture<?> underWay = result;

  PromisedResponse(HttpClient client, HttpRequest request, BodyHandler<T> handler, PacedCall call) {
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
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }

  private void awaitTurn() {
    follow(call.turn(), this::send);
  }

  private void send(Decision decision) {
    if (result.isDone()) {
      call.giveBack(decision);
    } else {
      Attempt<T> attempt = new Attempt<>(call, handler);
      follow(client.sendAsync(request, attempt), response -> received(attempt, response));
    }
  }

  private void received(Attempt<T> attempt, HttpResponse<T> response) {
    if (attempt.isToBeRepeated()) {
      awaitTurn();
    } else {
      result.complete(response);
    }
  }

  private <V> void follow(CompletableFuture<V> next, Consumer<V> step) {
    underWay = next;
    if (result.isDone()) {
      next.cancel(true);
    }
    CompletableFuture<?> unused =
        next.whenComplete(
            (value, failure) -> {
              try {
                if (failure == null) {
                  step.accept(value);
                } else {
                  result.completeExceptionally(failure); // no-op if this is the cancellation
                }
              } catch (RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
  }
}
