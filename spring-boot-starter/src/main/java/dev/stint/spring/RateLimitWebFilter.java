package dev.stint.spring;

import dev.stint.http.Answer;
import dev.stint.http.Completion;
import dev.stint.http.HttpLimiter;
import dev.stint.http.Refusal;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Lets requests pass to WebFlux as the rules of an {@link HttpLimiter} say, blocking nobody. */
final class RateLimitWebFilter implements WebFilter, Ordered {

  private static final String PASSED = RateLimitWebFilter.class.getName() + ".passed.";
  private static final int CLIENT_WENT_AWAY = 499;

  /** Handlers do not block here, so they go on in the threads that Reactor has for that. */
  static final Executor PARALLEL = work -> Schedulers.parallel().schedule(work);

  private final HttpLimiters limiters;
  private final int order;
  private final boolean afterAuthentication;
  private final String passed;
  private final String actuator;
  private final WebFluxHandlers handlers;
  private final Predicate<RulesInForce> asksConnection;

  /**
   * A filter that leaves the actuator alone where that has a port of its own. Servlets' filters do
   * not get there, but WebFlux hands those of an application to its actuator too.
   *
   * @param afterAuthentication whether it stands behind the security chain, where the principal is
   *     known
   * @param application the application's context, from whose identity Boot makes that of the
   *     actuator's
   * @param asksConnection whether rules count by the address of the connection, past what the
   *     server made of forwarded headers
   */
  RateLimitWebFilter(
      HttpLimiters limiters,
      int order,
      boolean afterAuthentication,
      ApplicationContext application,
      Predicate<RulesInForce> asksConnection) {
    this.asksConnection = asksConnection;
    this.actuator = application.getId() + ":management";
    this.limiters = limiters;
    this.order = order;
    this.afterAuthentication = afterAuthentication;
    this.passed = PASSED + order;
    this.handlers = new WebFluxHandlers(application);
  }

  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    if (limiter(exchange).isIdle()
        || isForActuator(exchange)
        || exchange.getAttributes().putIfAbsent(passed, true) != null) {
      return chain.filter(exchange);
    }
    if (WebFluxHandlers.isPreflight(exchange)) {
      return handlers
          .answersPreflight(exchange)
          .flatMap(answers -> answers ? decideByLists(exchange, chain) : decide(exchange, chain));
    }
    return decide(exchange, chain);
  }

  private Mono<Void> decideByLists(ServerWebExchange exchange, WebFilterChain chain) {
    Answer earlier = exchange.getAttribute(Answer.ATTRIBUTE);
    return proceed(
        limiter(exchange).decideByLists(call(exchange, null, null), earlier), exchange, chain);
  }

  private RulesInForce rules(ServerWebExchange exchange) {
    return RulesInForce.of(
        limiters,
        () -> exchange.getAttribute(RulesInForce.ATTRIBUTE),
        rules -> exchange.getAttributes().put(RulesInForce.ATTRIBUTE, rules));
  }

  private HttpLimiter limiter(ServerWebExchange exchange) {
    RulesInForce rules = rules(exchange);
    return afterAuthentication ? rules.afterAuthentication() : rules.beforeAuthentication();
  }

  private boolean isForActuator(ServerWebExchange exchange) {
    ApplicationContext context = exchange.getApplicationContext();
    return context != null && actuator.equals(context.getId());
  }

  private Mono<Void> decide(ServerWebExchange exchange, WebFilterChain chain) {
    if (!afterAuthentication) {
      return decide(exchange, null, chain);
    }
    return exchange
        .getPrincipal()
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(principal -> decide(exchange, principal.orElse(null), chain));
  }

  private Mono<Void> decide(
      ServerWebExchange exchange, @Nullable Principal principal, WebFilterChain chain) {
    WebFluxCall call = call(exchange, principal, null);
    if (!limiter(exchange).needsTemplate(call)) {
      return decide(call, exchange, chain);
    }
    return handlers
        .template(exchange)
        .defaultIfEmpty("")
        .flatMap(
            template ->
                decide(
                    call(exchange, principal, template.isEmpty() ? null : template),
                    exchange,
                    chain));
  }

  private WebFluxCall call(
      ServerWebExchange exchange, @Nullable Principal principal, @Nullable String template) {
    ServerHttpRequest request = exchange.getRequest();
    return new WebFluxCall(
        request,
        principal,
        template,
        asksConnection.test(rules(exchange)) ? ConnectionPeer.of(request) : null);
  }

  /**
   * Asks, and goes on with the answer. A client that goes away before the answer is there gets back
   * what rules hold for it.
   */
  private Mono<Void> decide(WebFluxCall call, ServerWebExchange exchange, WebFilterChain chain) {
    Answer earlier = exchange.getAttribute(Answer.ATTRIBUTE);
    return Mono.defer(
        () -> {
          CompletableFuture<Answer> asked =
              limiter(exchange).decideAsync(call, earlier, PARALLEL).toCompletableFuture();
          AtomicBoolean taken = new AtomicBoolean();
          return Mono.fromFuture(asked, true)
              .flatMap(
                  answer -> taken.getAndSet(true) ? Mono.empty() : proceed(answer, exchange, chain))
              .doOnCancel(
                  () -> {
                    if (!taken.getAndSet(true)) {
                      var unused = asked.thenAccept(answer -> answer.finished(CLIENT_WENT_AWAY));
                    }
                  });
        });
  }

  private Mono<Void> proceed(Answer answer, ServerWebExchange exchange, WebFilterChain chain) {
    ServerHttpResponse response = exchange.getResponse();
    exchange.getAttributes().put(Answer.ATTRIBUTE, answer);
    answer.headers(response.getHeaders()::set);
    return answer
        .refusal()
        .map(
            refusal -> handlers.writeCors(exchange).then(Mono.defer(() -> send(refusal, response))))
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
          return finish(answer, told, exchange, status == null ? 200 : status.value());
        });
    return chain
        .filter(exchange)
        .doOnCancel(() -> finish(answer, told, exchange, CLIENT_WENT_AWAY).subscribe());
  }

  private static Mono<Void> finish(
      Answer answer, AtomicBoolean told, ServerWebExchange exchange, int status) {
    return Mono.fromRunnable(
        () -> {
          if (!told.getAndSet(true)) {
            answer.finished(Completion.of(status, exchange::getAttribute));
          }
        });
  }

  /**
   * Sends the refusal of a limiter that was asked later in the request, with headers that also
   * speak of what the filters answered.
   */
  static Mono<Void> send(Answer answer, ServerWebExchange exchange) {
    ServerHttpResponse response = exchange.getResponse();
    Answer both = answer.after(exchange.getAttribute(Answer.ATTRIBUTE));
    both.headers(response.getHeaders()::set);
    return both.refusal().map(refusal -> send(refusal, response)).orElse(Mono.empty());
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
