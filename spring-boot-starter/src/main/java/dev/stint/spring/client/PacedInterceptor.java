package dev.stint.spring.client;

import dev.stint.http.client.Pace;
import dev.stint.http.client.PacedCall;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Locale;
import java.util.function.Function;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Sends the requests of a {@code RestClient} or a {@code RestTemplate} no faster than limits allow,
 * and again when servers say.
 *
 * <pre>{@code
 * RestClient.builder().requestInterceptor(PacedInterceptor.of("10/second")).build();
 * }</pre>
 *
 * <p>See {@link Pace} for what is waited for and when a request is sent again. A request whose turn
 * would not come within the longest wait fails with {@link
 * dev.stint.http.client.HeldBackException}, which Spring wraps in a {@code
 * ResourceAccessException}. Add it as the last interceptor: with Spring 6, those behind it see only
 * the first attempt.
 */
public final class PacedInterceptor implements ClientHttpRequestInterceptor {

  private final Pace pace;
  private final Function<HttpRequest, String> key;

  private PacedInterceptor(Pace pace, Function<HttpRequest, String> key) {
    this.pace = pace;
    this.key = key;
  }

  /** An interceptor that keeps to limits such as {@code "10/second; 5000/day"} on each host. */
  public static PacedInterceptor of(String limits) {
    return of(Pace.of(limits));
  }

  /** An interceptor that keeps to a pace on each host. */
  public static PacedInterceptor of(Pace pace) {
    if (pace == null) {
      throw new IllegalArgumentException("pace must not be null");
    }
    return new PacedInterceptor(
        pace, request -> String.valueOf(request.getURI().getHost()).toLowerCase(Locale.ROOT));
  }

  /** This interceptor, counting requests by what {@code key} makes of them, not by their host. */
  public PacedInterceptor by(Function<HttpRequest, String> key) {
    if (key == null) {
      throw new IllegalArgumentException("a key must have a function: null");
    }
    return new PacedInterceptor(pace, key);
  }

  @Override
  public ClientHttpResponse intercept(
      HttpRequest request, byte[] body, ClientHttpRequestExecution execution) throws IOException {
    PacedCall call = pace.call(request.getMethod().name(), key.apply(request));
    for (; ; ) {
      await(call);
      ClientHttpResponse response = execution.execute(request, body);
      if (!isToBeRepeated(call, response)) {
        return response;
      }
      response.close();
    }
  }

  private static void await(PacedCall call) throws IOException {
    try {
      call.awaitTurn();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while waiting for the turn of a call")
              .initCause(e);
    }
  }

  private static boolean isToBeRepeated(PacedCall call, ClientHttpResponse response)
      throws IOException {
    return call.heed(
        response.getStatusCode().value(), response.getHeaders().getFirst("Retry-After"));
  }
}
