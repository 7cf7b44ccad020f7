package dev.stint.spring;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.cors.reactive.CorsConfigurationSource;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.cors.reactive.DefaultCorsProcessor;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Asks WebFlux which handler a request will reach, before its dispatcher does, and what the
 * application says about CORS.
 */
final class WebFluxHandlers {

  private static final String NONE = "";

  private final SingletonSupplier<List<HandlerMapping>> mappings;
  private final SingletonSupplier<List<CorsConfigurationSource>> sources;
  private final SingletonSupplier<List<CorsWebFilter>> filters;
  private final DefaultCorsProcessor processor = new DefaultCorsProcessor();

  WebFluxHandlers(ApplicationContext context) {
    this.mappings = beans(context, HandlerMapping.class);
    this.sources = beans(context, CorsConfigurationSource.class);
    this.filters = beans(context, CorsWebFilter.class);
  }

  private static <T> SingletonSupplier<List<T>> beans(ApplicationContext context, Class<T> type) {
    return SingletonSupplier.of(
        () -> {
          List<T> all =
              new ArrayList<>(
                  BeanFactoryUtils.beansOfTypeIncludingAncestors(context, type, true, false)
                      .values());
          AnnotationAwareOrderComparator.sort(all);
          return all;
        });
  }

  /** The template of the handler; empty text if it has none, and nothing if there is no handler. */
  Mono<String> template(ServerWebExchange exchange) {
    return templateBy(new LookupExchange(exchange, new HttpHeaders()));
  }

  private Mono<String> templateBy(LookupExchange lookup) {
    return Flux.fromIterable(mappings.obtain())
        .concatMap(mapping -> mapping.getHandler(lookup))
        .next()
        .map(handler -> lookup.template())
        .onErrorResume(failure -> Mono.empty()); // such as a method that is not allowed
  }

  /** Whether it is a preflight that Spring answers itself, before any handler. */
  Mono<Boolean> answersPreflight(ServerWebExchange exchange) {
    return filters.obtain().isEmpty() ? template(exchange).hasElement() : Mono.just(true);
  }

  /**
   * Whether it is a preflight as browsers send it, without credentials. With credentials, passwords
   * could be guessed by preflights.
   */
  static boolean isPreflight(ServerWebExchange exchange) {
    HttpHeaders headers = exchange.getRequest().getHeaders();
    return CorsUtils.isPreFlightRequest(exchange.getRequest())
        && headers.getFirst(HttpHeaders.AUTHORIZATION) == null
        && headers.getFirst(HttpHeaders.COOKIE) == null;
  }

  /**
   * Writes the headers without which a browser hides a refusal from the page. A mapping does so
   * while it looks for the handler.
   */
  Mono<Void> writeCors(ServerWebExchange exchange) {
    if (!CorsUtils.isCorsRequest(exchange.getRequest())) {
      return Mono.empty();
    }
    LookupExchange lookup = new LookupExchange(exchange, exchange.getResponse().getHeaders());
    return Flux.fromIterable(filters.obtain())
        .concatMap(filter -> filter.filter(lookup, passed -> Mono.empty()))
        .then(Mono.fromRunnable(() -> sources.obtain().forEach(source -> process(source, lookup))))
        .then(templateBy(lookup))
        .then();
  }

  private void process(CorsConfigurationSource source, ServerWebExchange exchange) {
    var configuration = source.getCorsConfiguration(exchange);
    if (configuration != null) {
      processor.process(configuration, exchange);
    }
  }

  /** Keeps to itself what a mapping notes while it looks, and the response that it may write. */
  private static final class LookupExchange extends ServerWebExchangeDecorator {

    private final Map<String, Object> attributes;
    private final ServerHttpResponse response;

    LookupExchange(ServerWebExchange exchange, HttpHeaders headers) {
      super(exchange);
      this.attributes = new HashMap<>(exchange.getAttributes());
      this.response = new HeadersOnly(exchange.getResponse(), headers);
    }

    @Override
    public ServerHttpResponse getResponse() {
      return response;
    }

    @Override
    public Map<String, Object> getAttributes() {
      return attributes;
    }

    String template() {
      Object template = attributes.get(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
      return template == null ? NONE : template.toString();
    }
  }

  /**
   * Takes headers only. A mapping sets the status 403 for a preflight that it has no CORS settings
   * for; on the real response it would replace what Spring Security answers later.
   */
  private static final class HeadersOnly extends ServerHttpResponseDecorator {

    private final HttpHeaders headers;
    private final MultiValueMap<String, ResponseCookie> cookies = new LinkedMultiValueMap<>();

    HeadersOnly(ServerHttpResponse response, HttpHeaders headers) {
      super(response);
      this.headers = headers;
    }

    @Override
    public HttpHeaders getHeaders() {
      return headers;
    }

    @Override
    public boolean setStatusCode(@Nullable HttpStatusCode status) {
      return true;
    }

    @Override
    public boolean setRawStatusCode(@Nullable Integer status) {
      return true;
    }

    @Override
    public MultiValueMap<String, ResponseCookie> getCookies() {
      return cookies;
    }

    @Override
    public void addCookie(ResponseCookie cookie) {}

    @Override
    public void beforeCommit(Supplier<? extends Mono<Void>> action) {}

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
      return Flux.from(body).doOnNext(DataBufferUtils::release).then();
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
      return Flux.from(body).concatMap(this::writeWith).then();
    }

    @Override
    public Mono<Void> setComplete() {
      return Mono.empty();
    }
  }
}
