package dev.stint.spring.gateway;

import dev.stint.http.Answer;
import dev.stint.http.HttpLimiter;
import dev.stint.http.KeySource;
import dev.stint.http.Refusal;
import dev.stint.http.Rule;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Limits on the functional routes of MVC, those of Spring Cloud Gateway Server MVC among them.
 *
 * <pre>{@code
 * route("orders")
 *     .GET("/orders/**", http())
 *     .filter(limits.perKey("orders", "10/second", r -> r.headers().firstHeader("X-Api-Key")))
 * }</pre>
 */
public final class RouteLimits {

  private final Function<Rule, HttpLimiter> limiters;

  /** Limits whose limiters are made so. */
  public RouteLimits(Function<Rule, HttpLimiter> limiters) {
    this.limiters = limiters;
  }

  /**
   * A filter that gives each key limits of its own. Requests without a key share one budget.
   *
   * @param name the name of the rule, in headers and metrics; limits of the same name and text
   *     share their budgets
   * @param limits the limits, such as {@code 10/second burst 20; 5000/day}
   * @param key finds the key of a request; null if it has none
   */
  public HandlerFilterFunction<ServerResponse, ServerResponse> perKey(
      String name, String limits, Function<ServerRequest, @Nullable String> key) {
    KeySource source = KeySource.of("key", request -> ((RoutedRequest) request).routeKey());
    HttpLimiter limiter = limiters.apply(Rule.of(name, limits).by(source));
    return (request, next) -> {
      Answer answer = limiter.decide(new RoutedRequest(key.apply(request)));
      Refusal refusal = answer.refusal().orElse(null);
      if (refusal != null) {
        return refused(answer, refusal);
      }
      ServerResponse response = next.handle(request);
      answer.headers(response.headers()::set);
      return response;
    };
  }

  private static ServerResponse refused(Answer answer, Refusal refusal) {
    ServerResponse.BodyBuilder response =
        ServerResponse.status(HttpStatusCode.valueOf(refusal.status()));
    answer.headers(response::header);
    return refusal.body().isEmpty()
        ? response.build()
        : response
            .contentType(MediaType.parseMediaType(refusal.contentType()))
            .body(refusal.body());
  }
}
