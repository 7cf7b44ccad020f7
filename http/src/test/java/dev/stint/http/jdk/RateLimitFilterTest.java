package dev.stint.http.jdk;

import static dev.stint.http.Browser.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.stint.Store;
import dev.stint.http.Browser;
import dev.stint.http.HttpLimiter;
import dev.stint.http.KeySource;
import dev.stint.http.Rule;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitFilterTest {

  private static final String ONE = "1/minute fixed-window-per-key";
  private static final String TEN = "10/minute fixed-window-per-key";
  private static final String ME = InetAddress.getLoopbackAddress().getHostAddress();

  private final Store store = MemoryStore.builder().time(ManualTime.create()).build();
  private final AtomicInteger handled = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  private HttpLimiter limiter(Rule... rules) {
    return HttpLimiter.builder(store).rules(List.of(rules)).build();
  }

  private HttpContext serve(HttpHandler handler, HttpLimiter... limiters) {
    HttpContext context = server.createContext("/", handler);
    for (HttpLimiter limiter : limiters) {
      context.getFilters().add(new RateLimitFilter(limiter));
    }
    return context;
  }

  private HttpHandler answering(int status) {
    return exchange -> {
      handled.incrementAndGet();
      byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
      boolean head = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(status, head ? -1 : body.length);
      if (!head) {
        exchange.getResponseBody().write(body);
      }
      exchange.close();
    };
  }

  private Browser browser() {
    return new Browser(server.getAddress().getPort());
  }

  @Test
  void what_may_pass_is_answered_with_the_headers() throws Exception {
    serve(answering(200), limiter(Rule.of("api", TEN)));
    HttpResponse<String> response = browser().get("/");
    assertThat(response.body()).isEqualTo("hello");
    assertThat(header(response, "RateLimit")).isEqualTo("\"api\";r=9;t=60");
    assertThat(header(response, "RateLimit-Policy")).isEqualTo("\"api\";q=10;w=60");
  }

  @Test
  void a_refusal_is_sent_whole() throws Exception {
    serve(answering(200), limiter(Rule.of("api", ONE)));
    browser().get("/");
    HttpResponse<String> response = browser().get("/");
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(header(response, "Retry-After")).isEqualTo("60");
    assertThat(header(response, "RateLimit")).isEqualTo("\"api\";r=0;t=60");
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(response.body()).contains("\"violated-policies\":[\"api\"]");
  }

  @Test
  void a_refused_request_does_not_reach_its_handler() throws Exception {
    serve(answering(200), limiter(Rule.of("api", ONE)));
    browser().get("/");
    browser().get("/");
    assertThat(handled).hasValue(1);
  }

  @Test
  void a_request_is_charged_once() throws Exception {
    HttpLimiter limiter = limiter(Rule.of("api", TEN));
    serve(answering(200), limiter);
    browser().get("/");
    assertThat(limiter.peek("api", ME).used()).isEqualTo(1);
  }

  @Test
  void a_refused_head_has_the_headers_and_no_body() throws Exception {
    serve(answering(200), limiter(Rule.of("api", ONE)));
    int length = Integer.parseInt(header(refused("GET"), "Content-Length"));
    HttpResponse<String> response = refused("HEAD");
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(response.body()).isEmpty();
    assertThat(header(response, "Content-Length")).isEqualTo(Integer.toString(length));
  }

  private HttpResponse<String> refused(String method) throws Exception {
    browser().send(method, "/");
    return browser().send(method, "/");
  }

  @Test
  void an_empty_refusal_has_no_content_type() throws Exception {
    serve(
        answering(200),
        HttpLimiter.builder(store)
            .rule(Rule.of("api", ONE))
            .refusal((request, standard) -> standard.status(503).body("text/plain", ""))
            .build());
    HttpResponse<String> response = refused("GET");
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().map()).doesNotContainKey("content-type");
  }

  @Test
  void a_connection_outlives_the_refusal_of_a_small_body() throws Exception {
    serve(answering(200), limiter(Rule.of("api", ONE)));
    browser().get("/");
    String post = "POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n";
    String rest = "\r\n" + "x".repeat(1000);
    try (Socket socket = new Socket(ME, server.getAddress().getPort())) {
      socket.setSoTimeout(20_000);
      String both = post + rest + post + "Connection: close\r\n" + rest;
      socket.getOutputStream().write(both.getBytes(StandardCharsets.US_ASCII));
      byte[] answers = socket.getInputStream().readAllBytes();
      assertThat(new String(answers, StandardCharsets.US_ASCII).split("HTTP/1.1 429", -1))
          .hasSize(3);
    }
  }

  @Test
  void the_refusal_of_a_body_that_nobody_read_arrives() throws Exception {
    serve(answering(200), limiter(Rule.of("api", ONE)));
    browser().get("/");
    assertThat(post(50_000).statusCode()).isEqualTo(429);
  }

  private HttpResponse<String> post(int size) throws Exception {
    return browser().send(browser().request("/").POST(BodyPublishers.ofByteArray(new byte[size])));
  }

  @Test
  void only_failed_logins_stay_charged() throws Exception {
    HttpLimiter limiter = limiter(Rule.of("login", TEN).onlyIf(status -> status == 401));
    server.createContext("/ok", answering(200)).getFilters().add(new RateLimitFilter(limiter));
    server.createContext("/no", answering(401)).getFilters().add(new RateLimitFilter(limiter));
    browser().get("/ok");
    assertThat(usedSoon(limiter, 0)).isZero();
    browser().get("/no");
    assertThat(usedSoon(limiter, 1)).isEqualTo(1);
  }

  /** The client may see the response before the filter has seen its handler return. */
  private long usedSoon(HttpLimiter limiter, long expected) {
    long end = System.nanoTime() + 10_000_000_000L;
    while (limiter.peek("login", ME).used() != expected && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    return limiter.peek("login", ME).used();
  }

  @Test
  void a_handler_that_throws_has_answered_500() {
    HttpLimiter limiter = limiter(Rule.of("login", TEN).onlyIf(status -> status != 500));
    serve(
        exchange -> {
          throw new IOException("on purpose");
        },
        limiter);
    assertThatThrownBy(() -> browser().get("/")).isInstanceOf(IOException.class);
    assertThat(usedSoon(limiter, 0)).isZero();
  }

  @Test
  void a_handler_that_answers_after_it_returned_stays_charged() throws Exception {
    HttpLimiter limiter = limiter(Rule.of("login", TEN).onlyIf(status -> status == 401));
    CountDownLatch returned = new CountDownLatch(1);
    serve(exchange -> threads.execute(() -> answerAfter(returned, exchange)), limiter)
        .getFilters()
        .add(0, Filter.afterHandler("tells that all have returned", e -> returned.countDown()));
    assertThat(browser().get("/").statusCode()).isEqualTo(200);
    assertThat(limiter.peek("login", ME).used()).isEqualTo(1);
  }

  private void answerAfter(CountDownLatch returned, HttpExchange exchange) {
    try {
      returned.await();
      answering(200).handle(exchange);
    } catch (IOException | InterruptedException e) {
      exchange.close(); // and the client will tell
    }
  }

  @Test
  void a_rule_by_principal_counts_for_who_is_authenticated() throws Exception {
    HttpLimiter limiter = limiter(Rule.of("api", TEN).by(KeySource.principal()));
    serve(new RateLimitFilter(limiter).inFrontOf(answering(200)))
        .setAuthenticator(
            new BasicAuthenticator("office") {
              @Override
              public boolean checkCredentials(String name, String password) {
                return password.equals("secret");
              }
            });
    String alice =
        Base64.getEncoder().encodeToString("alice:secret".getBytes(StandardCharsets.UTF_8));
    browser().get("/", "Authorization", "Basic " + alice);
    assertThat(limiter.peek("api", "alice").used()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a/orders/1",
        "/a//orders/1",
        "/a/./orders/1",
        "/a/%2e/orders/1",
        "/a/b/%2E%2e/orders/1",
        "/a/orders;x=1/1",
        "/%61/orders/1/",
        "/a/orders%2F1"
      })
  void no_way_of_writing_a_path_dodges_its_rule(String path) throws Exception {
    serve(answering(200), limiter(Rule.of("orders", ONE).on("/a/orders/{id}")));
    browser().get("/a/orders/1");
    assertThat(browser().get(path).statusCode()).isEqualTo(429);
  }

  @Test
  void a_query_parameter_can_be_the_key() throws Exception {
    HttpLimiter limiter = limiter(Rule.of("api", TEN).by(KeySource.queryParameter("user")));
    serve(answering(200), limiter);
    browser().get("/?a=b&user=al%20ice");
    assertThat(limiter.peek("api", "al ice").used()).isEqualTo(1);
  }

  @Test
  void two_filters_in_one_chain_show_both_policies() throws Exception {
    serve(answering(200), limiter(Rule.of("first", TEN)), limiter(Rule.of("second", ONE)));
    assertThat(header(browser().get("/"), "RateLimit-Policy"))
        .isEqualTo("\"first\";q=10;w=60, \"second\";q=1;w=60");
  }

  @Test
  void a_filter_in_front_of_the_handler_shows_the_policies_of_those_before_it() throws Exception {
    RateLimitFilter last = new RateLimitFilter(limiter(Rule.of("second", ONE)));
    serve(last.inFrontOf(answering(200)), limiter(Rule.of("first", TEN)));
    assertThat(header(browser().get("/"), "RateLimit-Policy"))
        .isEqualTo("\"first\";q=10;w=60, \"second\";q=1;w=60");
  }
}
