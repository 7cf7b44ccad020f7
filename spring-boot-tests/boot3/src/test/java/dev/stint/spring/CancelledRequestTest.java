package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Clients that go away while WebFlux is at work on their request. */
class CancelledRequestTest {

  /** A store that answers hits when it is told to. */
  static final class LateStore implements Store {

    final BlockingQueue<Runnable> hits = new LinkedBlockingQueue<>();
    private final Store inner = MemoryStore.create();

    @Override
    public Decision run(Operation operation, List<KeyedLimit> limits) {
      return inner.run(operation, limits);
    }

    @Override
    public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
      CompletableFuture<Decision> answer = new CompletableFuture<>();
      Runnable run = () -> answer.complete(inner.run(operation, limits));
      if (operation == Operation.HIT) {
        hits.add(run);
      } else {
        run.run();
      }
      return answer;
    }

    @Override
    public void prepare(Collection<Limit> limits) {
      inner.prepare(limits);
    }

    @Override
    public long clean() {
      return 0;
    }

    @Override
    public TimeSource time() {
      return inner.time();
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  @SpringBootConfiguration
  @EnableAutoConfiguration
  @Import(OpenApp.WebFluxSecurity.class)
  static class App {

    @Bean
    LateStore store() {
      return new LateStore();
    }
  }

  private static RunningApp start() {
    return RunningApp.webFlux(
        App.class,
        "stint.rules.login.limit=5/day fixed-window",
        "stint.rules.login.match=/never",
        "stint.rules.login.charge-on=401");
  }

  /** A request as the server hands it over; a server cancels it when the client goes away. */
  private static Disposable ask(RunningApp app) {
    RateLimitWebFilter filter =
        app.beans(RateLimitWebFilter.class).stream()
            .filter(one -> one.getOrder() == -200)
            .findFirst()
            .orElseThrow();
    MockServerHttpRequest request =
        MockServerHttpRequest.get("/never")
            .remoteAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 49_152))
            .build();
    return filter.filter(MockServerWebExchange.from(request), exchange -> Mono.never()).subscribe();
  }

  private static Runnable hit(RunningApp app) throws InterruptedException {
    Runnable hit = app.bean(LateStore.class).hits.poll(10, TimeUnit.SECONDS);
    assertThat(hit).as("the store is asked").isNotNull();
    return hit;
  }

  private static long left(RunningApp app) {
    return app.bean(HttpLimiters.class).peek("login", "127.0.0.1").remaining();
  }

  @Test
  void units_are_given_back_to_a_client_that_leaves_before_the_store_has_answered()
      throws Exception {
    try (RunningApp app = start()) {
      Disposable request = ask(app);
      Runnable hit = hit(app);
      request.dispose();
      hit.run();
      await().atMost(Duration.ofSeconds(10)).until(() -> left(app) == 5);
    }
  }

  @Test
  void units_are_given_back_to_a_client_that_leaves_before_the_handler_has_answered()
      throws Exception {
    try (RunningApp app = start()) {
      Disposable request = ask(app);
      hit(app).run();
      assertThat(left(app)).isEqualTo(4);
      request.dispose();
      await().atMost(Duration.ofSeconds(10)).until(() -> left(app) == 5);
    }
  }
}
