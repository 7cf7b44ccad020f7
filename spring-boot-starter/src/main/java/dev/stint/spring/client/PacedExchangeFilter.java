package dev.stint.spring.client;

import dev.stint.http.client.Pace;
import dev.stint.http.client.PacedCall;
import java.util.Locale;
import java.util.function.Function;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Sends the requests of a {@code WebClient} no faster than limits allow, and again when servers
 * say, without blocking a thread.
 *
 * <pre>{@code
 * WebClient.builder().filter(PacedExchangeFilter.of("10/second")).build();
 * }</pre>
 *
 * <p>See {@link Pace} for what is waited for and when a request is sent again. A request whose turn
 * would not come within the longest wait fails with {@link
 * dev.stint.http.client.HeldBackException}. Filters after this one see every attempt.
 */
public final class PacedExchangeFilter implements ExchangeFilterFunction {

  private final Pace pace;
  private final Function<ClientRequest, String> key;

  private PacedExchangeFilter(Pace pace, Function<ClientRequest, String> key) {
    this.pace = pace;
    this.key = key;
  }

  /** A filter that keeps to limits such as {@code "10/second; 5000/day"} on each host. */
  public static PacedExchangeFilter of(String limits) {
    return of(Pace.of(limits));
  }

  /** A filter that keeps to a pace on each host. */
  public static PacedExchangeFilter of(Pace pace) {
    if (pace == null) {
      throw new IllegalArgumentException("pace must not be null");
    }
    return new PacedExchangeFilter(
        pace, request -> String.valueOf(request.url().getHost()).toLowerCase(Locale.ROOT));
  }

  /** This filter, counting requests by what {@code key} makes of them, not by their host. */
  public PacedExchangeFilter by(Function<ClientRequest, String> key) {
    if (key == null) {
      throw new IllegalArgumentException("a key must have a function: null");
    }
    return new PacedExchangeFilter(pace, key);
  }

  @Override
  public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
    return Mono.defer(
        () -> attempt(pace.call(request.method().name(), key.apply(request)), request, next));
  }

  private static Mono<ClientResponse> attempt(
      PacedCall call, ClientRequest request, ExchangeFunction next) {
    return Mono.fromFuture(call::turn)
        .publishOn(Schedulers.parallel()) // not on a thread that brings others their turn
        .flatMap(turn -> next.exchange(request))
        .flatMap(response -> answered(call, response, request, next));
  }

  private static Mono<ClientResponse> answered(
      PacedCall call, ClientResponse response, ClientRequest request, ExchangeFunction next) {
    String retryAfter = response.headers().asHttpHeaders().getFirst("Retry-After");
    return call.heed(response.statusCode().value(), retryAfter)
        ? response.releaseBody().then(Mono.defer(() -> attempt(call, request, next)))
        : Mono.just(response);
  }
}
