package dev.stint.spring.method;

import dev.stint.http.Request;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Finds the request in WebFlux, where threads work for many requests in turn. */
public interface ReactiveRequest extends CurrentRequest {

  /** The request that a subscription belongs to, by its context or the method's arguments. */
  Mono<Request> of(ContextView subscription, Object[] arguments);
}
