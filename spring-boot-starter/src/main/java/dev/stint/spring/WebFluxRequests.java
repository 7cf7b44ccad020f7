package dev.stint.spring;

import dev.stint.http.Request;
import dev.stint.spring.method.ReactiveRequest;
import java.security.Principal;
import java.util.Optional;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** The request that a subscription in WebFlux belongs to. */
final class WebFluxRequests implements ReactiveRequest {

  private static final ThreadLocal<@Nullable Request> CALLED = new ThreadLocal<>();

  private final RemoteAddresses addresses;

  WebFluxRequests(RemoteAddresses addresses) {
    this.addresses = addresses;
  }

  @Override
  public void checkAddresses(HttpLimiters rules) {
    addresses.checkMethods(rules);
  }

  @Override
  public @Nullable Request ofThread() {
    return CALLED.get();
  }

  @Override
  public Mono<Request> of(ContextView subscription, Object[] arguments) {
    return ServerWebExchangeContextFilter.getExchange(subscription)
        .or(() -> argument(arguments))
        .map(this::of)
        .orElseGet(Mono::empty);
  }

  private static Optional<ServerWebExchange> argument(Object[] arguments) {
    for (Object argument : arguments) {
      if (argument instanceof ServerWebExchange exchange) {
        return Optional.of(exchange);
      }
    }
    return Optional.empty();
  }

  /** A request as rules see it, with its principal. */
  Mono<Request> of(ServerWebExchange exchange) {
    return exchange
        .getPrincipal()
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .map(principal -> call(exchange, principal.orElse(null)));
  }

  private Request call(ServerWebExchange exchange, @Nullable Principal principal) {
    ServerHttpRequest request = exchange.getRequest();
    Object template = exchange.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    return new WebFluxCall(
        request,
        principal,
        template == null ? null : template.toString(),
        addresses.askConnection() ? ConnectionPeer.of(request) : null);
  }

  /**
   * The bean, as something that knows its request while one of its methods is called. Only the
   * stack of that call sees it.
   */
  Object calledFor(Request request, Object bean) {
    ProxyFactory proxy = new ProxyFactory();
    proxy.setTarget(bean);
    proxy.setProxyTargetClass(true);
    proxy.addAdvice(
        (MethodInterceptor)
            invocation -> {
              Request before = CALLED.get();
              CALLED.set(request);
              try {
                return invocation.proceed();
              } finally {
                if (before == null) {
                  CALLED.remove();
                } else {
                  CALLED.set(before);
                }
              }
            });
    return proxy.getProxy(bean.getClass().getClassLoader());
  }
}
