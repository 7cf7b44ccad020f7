package dev.stint.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.stint.Limit;
import dev.stint.http.client.HeldBackException;
import dev.stint.http.client.Pace;
import dev.stint.memory.MemoryStore;
import dev.stint.spring.client.PacedExchangeFilter;
import dev.stint.spring.client.PacedInterceptor;
import dev.stint.testkit.ManualTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** Spring's clients keep to limits, and come back when a server says. */
class PacedClientsTest {

  private final ManualTime time = ManualTime.create();
  private final List<String> bodies = new ArrayList<>();
  private final AtomicInteger refusals = new AtomicInteger();
  private volatile int refusal = 429;
  private HttpServer server;
  private String uri;

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          synchronized (bodies) {
            bodies.add(
                exchange.getRequestMethod()
                    + " "
                    + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          }
          boolean refused = refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
          if (refused) {
            exchange.getResponseHeaders().set("Retry-After", "20");
          }
          byte[] hello = (refused ? "later" : "hello").getBytes(UTF_8);
          exchange.sendResponseHeaders(refused ? refusal : 200, hello.length);
          exchange.getResponseBody().write(hello);
          exchange.close();
        });
    server.start();
    uri = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Pace pace(String limit, Duration longestWait) {
    return Pace.builder(Limit.parse(limit))
        .store(MemoryStore.builder().time(time).build())
        .longestWait(longestWait)
        .build();
  }

  /** Posts a body by one of the clients. */
  private Function<String, String> client(String kind, Pace pace) {
    if (kind.equals("RestClient")) {
      RestClient rest = RestClient.builder().requestInterceptor(PacedInterceptor.of(pace)).build();
      return body -> rest.post().uri(uri).body(body).retrieve().body(String.class);
    }
    if (kind.equals("RestTemplate")) {
      RestTemplate template = new RestTemplate();
      template.getInterceptors().add(PacedInterceptor.of(pace));
      return body -> template.postForObject(uri, body, String.class);
    }
    WebClient web = WebClient.builder().filter(PacedExchangeFilter.of(pace)).build();
    return body ->
        web.post()
            .uri(uri)
            .bodyValue(body)
            .retrieve()
            .bodyToMono(String.class)
            .block(Duration.ofSeconds(20));
  }

  /** The answer, once virtual time has passed for as long as it takes. */
  private String afterSomeTime(Function<String, String> client, String body) throws Exception {
    CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> client.apply(body));
    for (int i = 0; i < 400 && !answer.isDone(); i++) {
      Thread.sleep(25);
      time.advance(Duration.ofSeconds(1));
    }
    return answer.get(5, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"RestClient", "RestTemplate", "WebClient"})
  void calls_wait_for_their_turn(String kind) throws Exception {
    Function<String, String> client = client(kind, pace("1/minute", Duration.ofMinutes(5)));
    assertThat(client.apply("one")).isEqualTo("hello");
    long before = time.micros();
    assertThat(afterSomeTime(client, "two")).isEqualTo("hello");
    assertThat(time.micros() - before).isGreaterThanOrEqualTo(60_000_000);
    assertThat(bodies).containsExactly("POST one", "POST two");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RestClient", "RestTemplate", "WebClient"})
  void a_call_that_a_server_refuses_is_made_again_when_it_says(String kind) throws Exception {
    refusals.set(1);
    long before = time.micros();
    Function<String, String> client = client(kind, pace("100/minute", Duration.ofMinutes(5)));
    assertThat(afterSomeTime(client, "one")).isEqualTo("hello");
    assertThat(time.micros() - before).isGreaterThanOrEqualTo(20_000_000);
    assertThat(bodies).containsExactly("POST one", "POST one");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RestClient", "RestTemplate", "WebClient"})
  void a_call_that_may_have_been_done_is_not_repeated(String kind) {
    refusals.set(1);
    refusal = 503;
    Function<String, String> client = client(kind, pace("100/minute", Duration.ofMinutes(5)));
    assertThatThrownBy(() -> client.apply("one")).hasMessageContaining("503");
    assertThat(bodies).containsExactly("POST one");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RestClient", "RestTemplate", "WebClient"})
  void a_call_that_would_wait_too_long_fails_and_is_not_made(String kind) {
    Function<String, String> client = client(kind, pace("1/minute", Duration.ofSeconds(1)));
    assertThat(client.apply("one")).isEqualTo("hello");
    assertThatThrownBy(() -> client.apply("two")).hasRootCauseInstanceOf(HeldBackException.class);
    assertThat(bodies).containsExactly("POST one");
  }

  @Test
  void interceptors_in_front_see_one_call() throws Exception {
    refusals.set(1);
    AtomicInteger seen = new AtomicInteger();
    ClientHttpRequestInterceptor counting =
        (request, body, execution) -> {
          seen.incrementAndGet();
          return execution.execute(request, body);
        };
    RestClient rest =
        RestClient.builder()
            .requestInterceptor(counting)
            .requestInterceptor(PacedInterceptor.of(pace("100/minute", Duration.ofMinutes(5))))
            .build();
    assertThat(
            afterSomeTime(
                body -> rest.post().uri(uri).body(body).retrieve().body(String.class), "one"))
        .isEqualTo("hello");
    assertThat(seen).hasValue(1);
    assertThat(bodies).hasSize(2);
  }
}
