package dev.stint.spring;

import dev.stint.http.Answer;
import dev.stint.http.HttpLimiter;
import dev.stint.http.Refusal;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Lets requests pass to WebFlux as the rules of an {@link HttpLimiter} say, blocking nobody. */
final class RateLimitWebFilter implements WebFilter, Ordered {

  private static final String ANSWER = RateLimitWebFilter.class.getName() + ".answer";
  private static final int CLIENT_WENT_AWAY = 499;

  private final HttpLimiter limiter;
  private final int order;
  private final boolean needsPrincipal;
  private final String passed;
  private final String actuator;

  /** A filter for all requests that it sees. */
  RateLimitWebFilter(HttpLimiter limiter, int order) {
    this(limiter, order, "");
  }

  /**
   * A filter that leaves the actuator alone where that has a port of its own. Servlets' filters do
   * not get there, but WebFlux hands those of an application to its actuator too.
   *
   * @param application the identity of the application's context, from which Boot makes that of the
   *     actuator's
   */
  RateLimitWebFilter(HttpLimiter limiter, int order, @Nullable String application) {
    this.actuator = application + ":management";
    this.limiter = limiter;
    this.order = order;
    this.needsPrincipal =
        limiter.rules().stream().anyMatch(rule -> rule.source().needsPrincipal())
            || order == FilterOrder.AFTER_AUTHENTICATION;
    this.passed = ANSWER + order;
  }

  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    if (limiter.isIdle()
        || isForActuator(exchange)
        || exchange.getAttributes().putIfAbsent(passed, true) != null) {
      return chain.filter(exchange);
    }
    if (!needsPrincipal) {
      return filter(exchange, null, chain);
    }
    return exchange
        .getPrincipal()
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(principal -> filter(exchange, principal.orElse(null), chain));
  }

  private boolean isForActuator(ServerWebExchange exchange) {
    ApplicationContext context = exchange.getApplicationContext();
    return context != null && actuator.equals(context.getId());
  }

  private Mono<Void> filter(
      ServerWebExchange exchange, @Nullable Principal principal, WebFilterChain chain) {
    Answer earlier = exchange.getAttribute(ANSWER);
    return Mono.defer(() -> answer(limiter.decideAsync(call(exchange, principal), earlier)))
        .flatMap(answer -> proceed(answer, exchange, chain));
  }

  private static WebFluxCall call(ServerWebExchange exchange, @Nullable Principal principal) {
    return new WebFluxCall(exchange.getRequest(), principal);
  }

  /**
   * An answer that has to be waited for comes on a thread of the store's client, which brings all
   * others too: no handler may keep it.
   */
  private static Mono<Answer> answer(CompletionStage<Answer> asked) {
    CompletableFuture<Answer> future = asked.toCompletableFuture();
    Mono<Answer> answer = Mono.fromFuture(future);
    return future.isDone() ? answer : answer.publishOn(Schedulers.parallel());
  }

  private static Mono<Void> proceed(
      Answer answer, ServerWebExchange exchange, WebFilterChain chain) {
    ServerHttpResponse response = exchange.getResponse();
    exchange.getAttributes().put(ANSWER, answer);
    answer.headers(response.getHeaders()::set);
    return answer
        .refusal()
        .map(refusal -> send(refusal, response))
        .orElseGet(() -> handle(answer, exchange, chain));
  }

  /**
   * The status is known when the response is committed: a handler's error becomes one only after
   * this filter has seen it pass.
   */
  private static Mono<Void> handle(
      Answer answer, ServerWebExchange exchange, WebFilterChain chain) {
    ServerHttpResponse response = exchange.getResponse();
    AtomicBoolean told = new AtomicBoolean();
    response.beforeCommit(
        () -> {
          HttpStatusCode status = response.getStatusCode();
          return finish(answer, told, status == null ? 200 : status.value());
        });
    return chain
        .filter(exchange)
        .doOnCancel(() -> finish(answer, told, CLIENT_WENT_AWAY).subscribe());
  }

  private static Mono<Void> finish(Answer answer, AtomicBoolean told, int status) {
    return Mono.fromRunnable(
        () -> {
          if (!told.getAndSet(true)) {
            answer.finished(status);
          }
        });
  }

  /** Sends a refusal in place of a response; of a request that may pass, only the headers. */
  static Mono<Void> send(Answer answer, ServerHttpResponse response) {
    answer.headers(response.getHeaders()::set);
    return answer.refusal().map(refusal -> send(refusal, response)).orElse(Mono.empty());
  }

  private static Mono<Void> send(Refusal refusal, ServerHttpResponse response) {
    byte[] body = refusal.body().getBytes(StandardCharsets.UTF_8);
    response.setStatusCode(HttpStatusCode.valueOf(refusal.status()));
    response.getHeaders().setContentLength(body.length);
    if (body.length > 0) {
      response.getHeaders().set("Content-Type", refusal.contentType());
    }
    DataBuffer buffer = response.bufferFactory().wrap(body);
    return response.writeWith(Mono.just(buffer));
  }
}
