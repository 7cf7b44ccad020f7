package dev.stint.spring.gateway;

import dev.stint.http.Answer;
import dev.stint.http.CallLimiter;
import dev.stint.http.Refusal;
import dev.stint.http.Rule;
import java.util.List;
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
 *     .filter(limits.perKey("orders", "10/second", request -> request.pathVariable("shop")))
 * }</pre>
 */
public final class RouteLimits {

  private final Function<Rule, CallLimiter> limiters;

  /** Limits whose limiters are made so. */
  public RouteLimits(Function<Rule, CallLimiter> limiters) {
    this.limiters = limiters;
  }

  /**
   * A filter that gives each key limits of its own. Requests without a key share one budget.
   *
   * @param name the name of the rule, in headers and metrics; limits of the same name and text
   *     share their budgets
   * @param limits the limits, such as {@code 10/second burst 20; 5000/day}
   * @param key finds the key of a request; null if it has none. Treat a header that comes in more
   *     than one line as none: a client could add another to each request.
   */
  public HandlerFilterFunction<ServerResponse, ServerResponse> perKey(
      String name, String limits, Function<ServerRequest, @Nullable String> key) {
    CallLimiter limiter = limiters.apply(Rule.of(name, limits));
    return (request, next) -> {
      Answer answer = limiter.decide(List.of(RouteKey.use(key.apply(request), 1)));
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
