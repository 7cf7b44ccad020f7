package dev.stint.spring;

import dev.stint.spring.method.RateLimitedAdvisor;
import java.util.List;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Tells limited handlers of WebFlux that return plain values or futures which request they are
 * called for: no subscription could. WebFlux's own adapter calls them.
 */
final class LimitedHandlerAdapter implements HandlerAdapter, Ordered {

  private final RateLimitedAdvisor methods;
  private final WebFluxRequests requests;
  private final SingletonSupplier<List<HandlerAdapter>> others;

  LimitedHandlerAdapter(
      RateLimitedAdvisor methods,
      WebFluxRequests requests,
      ObjectProvider<HandlerAdapter> adapters) {
    this.methods = methods;
    this.requests = requests;
    this.others =
        SingletonSupplier.of(() -> adapters.orderedStream().filter(one -> one != this).toList());
  }

  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  public boolean supports(Object handler) {
    return handler instanceof HandlerMethod method
        && methods.needsRequestOfThread(
            method.getMethod(), AopUtils.getTargetClass(method.getBean()));
  }

  @Override
  public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
    HandlerMethod method = (HandlerMethod) handler;
    HandlerAdapter adapter =
        others.obtain().stream().filter(one -> one.supports(handler)).findFirst().orElseThrow();
    return requests
        .of(exchange)
        .flatMap(
            request -> {
              Object bean = requests.calledFor(request, method.getBean());
              return adapter.handle(exchange, new HandlerMethod(bean, method.getMethod()));
            });
  }
}
