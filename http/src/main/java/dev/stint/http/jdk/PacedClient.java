package dev.stint.http.jdk;

import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.http.client.HeldBackException;
import dev.stint.http.client.Pace;
import dev.stint.http.client.PacedCall;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Sends requests by the JDK's client no faster than limits allow, and comes back when servers say.
 *
 * <pre>{@code
 * PacedClient client = PacedClient.of(HttpClient.newHttpClient(), "10/second");
 * client.send(request, BodyHandlers.ofString());
 * }</pre>
 *
 * <p>A call waits for its turn. After an answer of 429 or 503 with {@code Retry-After}, all calls
 * of the same key wait for as long as it says, and this one is made again: after 429, which means
 * that nothing was done, by any method; after 503 only by those that may be repeated, such as GET
 * and PUT. Its body is published anew. No wait ends later than the longest wait after the call
 * began: where one would, an answer that is there is returned as it is, and a call that was not
 * made fails with {@link HeldBackException}.
 *
 * <p>The pace is kept in the store, by all who share it; what servers say is kept in this client.
 *
 * <p>A client is safe for use by many threads. Make one and keep it.
 */
public final class PacedClient {

  private final HttpClient client;
  private final Pace pace;
  private final Function<HttpRequest, String> key;

  private PacedClient(HttpClient client, Builder settings) {
    this.client = client;
    this.pace = settings.pace.build();
    this.key = settings.key;
  }

  /** A client that keeps to a list of limits such as {@code "10/second; 5000/day"} on each host. */
  public static PacedClient of(HttpClient client, String limits) {
    return builder(client, Limit.parseAll(limits).toArray(Limit[]::new)).build();
  }

  /** A client that keeps to these limits, with settings. */
  public static Builder builder(HttpClient client, Limit... limits) {
    return new Builder(client, limits);
  }

  /**
   * As {@link HttpClient#send}, at its turn.
   *
   * @throws HeldBackException if the turn would not come within the longest wait
   */
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    PacedCall call = call(request);
    for (; ; ) {
      call.awaitTurn();
      Attempt<T> attempt = new Attempt<>(call, handler);
      HttpResponse<T> response = client.send(request, attempt);
      if (!attempt.isToBeRepeated()) {
        return response;
      }
    }
  }

  /**
   * As {@link HttpClient#sendAsync(HttpRequest, BodyHandler)}, at its turn. If that would not come
   * within the longest wait the future fails with {@link HeldBackException}. Cancelling it ends the
   * wait, or the exchange.
   */
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    PromisedResponse<T> promise = new PromisedResponse<>(client, request, handler, call(request));
    promise.start();
    return promise.result();
  }

  private PacedCall call(HttpRequest request) {
    String found = key.apply(request);
    if (found == null || found.isEmpty()) {
      throw new IllegalArgumentException(
          "a call must have a key, not null or an empty one: "
              + request
              + "; let the function given to by(...) answer some word where it knows none");
    }
    return pace.call(request.method(), found);
  }

  /** Settings of a {@link PacedClient}. */
  public static final class Builder {

    private final HttpClient client;
    private final Pace.Builder pace;
    private Function<HttpRequest, String> key = Builder::host;

    private Builder(HttpClient client, Limit... limits) {
      if (client == null) {
        throw new IllegalArgumentException("client must not be null");
      }
      this.client = client;
      this.pace = Pace.builder(limits);
    }

    private static String host(HttpRequest request) {
      return request.uri().getHost().toLowerCase(Locale.ROOT);
    }

    /** Keeps the pace in this store, rather than in memory; and lives by its time. */
    public Builder store(Store store) {
      pace.store(store);
      return this;
    }

    /** Counts calls by what this function makes of the request, rather than by its host. */
    public Builder by(Function<HttpRequest, String> key) {
      if (key == null) {
        throw new IllegalArgumentException("a key must have a function: null");
      }
      this.key = key;
      return this;
    }

    /** Waits so long at most, all waits of a call together; half a minute if not given. */
    public Builder longestWait(Duration longestWait) {
      pace.longestWait(longestWait);
      return this;
    }

    /** Makes a call again so often at most; twice if not given. */
    public Builder retries(int retries) {
      pace.retries(retries);
      return this;
    }

    /** A client with these settings. */
    public PacedClient build() {
      return new PacedClient(client, this);
    }
  }
}
