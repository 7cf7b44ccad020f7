package dev.stint.spring;

import dev.stint.http.HeaderCases;
import dev.stint.http.HttpLimiter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** WebFlux on Reactor Netty answers as all servers do. */
class WebFluxHeadersTest {

  @TestFactory
  Stream<DynamicTest> webflux_answers_as_all_servers_do() {
    return HeaderCases.on(Netty::new);
  }

  private static final class Netty implements HeaderCases.Running {

    private final DisposableServer server;

    Netty(HttpLimiter limiter) {
      WebHandler hello = exchange -> hello(exchange.getResponse());
      var handler =
          WebHttpHandlerBuilder.webHandler(hello)
              .filter(
                  new RateLimitWebFilter(
                      new HttpLimiters(limiter, limiter), -200, false, context(), rules -> false))
              .build();
      server =
          HttpServer.create()
              .host("127.0.0.1")
              .port(0)
              .handle(new ReactorHttpHandlerAdapter(handler))
              .bindNow();
    }

    private static StaticApplicationContext context() {
      StaticApplicationContext context = new StaticApplicationContext();
      context.refresh();
      return context;
    }

    private static Mono<Void> hello(ServerHttpResponse response) {
      byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
      return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }

    @Override
    public int port() {
      return server.port();
    }

    @Override
    public void close() {
      server.disposeNow(Duration.ofSeconds(5));
    }
  }
}
