package dev.stint.http.jdk;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.memory.MemoryStore;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
  private final RateLimiter limiter;
  private final TimeSource time;
  private final Holds holds;
  private final Function<HttpRequest, String> key;
  private final Duration longestWait;
  private final int retries;

  private PacedClient(HttpClient client, Builder settings) {
    this.client = client;
    Store store = settings.store == null ? MemoryStore.create() : settings.store;
    this.limiter = RateLimiter.of(store, settings.limits);
    this.time = store.time();
    this.holds = new Holds(time);
    this.key = settings.key;
    this.longestWait = settings.longestWait;
    this.retries = settings.retries;
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
    OutgoingCall call = call(request);
    for (; ; ) {
      call.awaitTurn();
      Attempt<T> attempt = call.attempt(handler);
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

  private OutgoingCall call(HttpRequest request) {
    String found = key.apply(request);
    if (found == null || found.isEmpty()) {
      throw new IllegalArgumentException(
          "a call must have a key, not null or an empty one: "
              + request
              + "; let the function given to by(...) answer some word where it knows none");
    }
    return new OutgoingCall(request, found, limiter, time, holds, longestWait, retries);
  }

  /** Settings of a {@link PacedClient}. */
  public static final class Builder {

    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

    private final HttpClient client;
    private final Limit[] limits;
    private @Nullable Store store;
    private Function<HttpRequest, String> key = Builder::host;
    private Duration longestWait = HALF_A_MINUTE;
    private int retries = 2;

    private Builder(HttpClient client, Limit... limits) {
      if (client == null) {
        throw new IllegalArgumentException("client must not be null");
      }
      if (limits.length == 0) {
        throw new IllegalArgumentException("a paced client must have at least one limit: 0");
      }
      this.client = client;
      this.limits = limits.clone();
    }

    private static String host(HttpRequest request) {
      return request.uri().getHost().toLowerCase(Locale.ROOT);
    }

    /** Keeps the pace in this store, rather than in memory; and lives by its time. */
    public Builder store(Store store) {
      if (store == null) {
        throw new IllegalArgumentException("store must not be null");
      }
      this.store = store;
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
      if (longestWait == null || longestWait.isNegative()) {
        throw new IllegalArgumentException(
            "the longest wait must be zero or longer: " + longestWait);
      }
      this.longestWait = longestWait;
      return this;
    }

    /** Makes a call again so often at most; twice if not given. */
    public Builder retries(int retries) {
      if (retries < 0) {
        throw new IllegalArgumentException("retries must be 0 or more: " + retries);
      }
      this.retries = retries;
      return this;
    }

    /** A client with these settings. */
    public PacedClient build() {
      return new PacedClient(client, this);
    }
  }
}
