package dev.stint.http.jdk;

import dev.stint.http.client.PacedCall;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;

/**
 * The handler of one attempt's response. It decides as soon as the headers are there, so that the
 * user's own handler sees only the answer that counts: it may write to a file.
 */
final class Attempt<T> implements BodyHandler<T> {

  private final PacedCall call;
  private final BodyHandler<T> handler;
  private volatile boolean toBeRepeated;

  Attempt(PacedCall call, BodyHandler<T> handler) {
    this.call = call;
    this.handler = handler;
  }

  @Override
  public BodySubscriber<T> apply(ResponseInfo response) {
    toBeRepeated =
        call.heed(response.statusCode(), response.headers().firstValue("Retry-After").orElse(null));
    return toBeRepeated ? BodySubscribers.replacing(null) : handler.apply(response);
  }

  /** Whether the call is to be made again, once the server no longer holds it back. */
  boolean isToBeRepeated() {
    return toBeRepeated;
  }
}
