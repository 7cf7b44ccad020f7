package dev.stint.spring;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Answers WebFlux requests whose handler ran into a limit, unless the application does itself. */
final class RateLimitedWebHandler implements WebExceptionHandler, Ordered {

  /** Just before Boot's, which makes a 500 of it. */
  private static final int ORDER = -2;

  @Override
  public int getOrder() {
    return ORDER;
  }

  @Override
  public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
    if (!(failure instanceof RateLimitedException refused)
        || exchange.getResponse().isCommitted()) {
      return Mono.error(failure);
    }
    return RateLimitWebFilter.send(refused.answer(), exchange);
  }
}
