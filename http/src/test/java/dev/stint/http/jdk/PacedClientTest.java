package dev.stint.http.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.http.Browser;
import dev.stint.http.client.HeldBackException;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PacedClientTest {

  private static final Limit ONE_A_SECOND = Limit.parse("1/second fixed-window-per-key");
  private static final Limit MANY = Limit.parse("1000/second");
  private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();

  /** An answer that the server has in store; when it has no more, it says 200. */
  private record Reply(int status, String retryAfter) {}

  private final HttpClient http = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Queue<Reply> replies = new ConcurrentLinkedQueue<>();
  private final List<String> received = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch released = new CountDownLatch(1);
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::reply);
    server.createContext("/slow", this::replyOnceReleased);
    server.start();
  }

  @AfterEach
  void stop() {
    released.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void reply(HttpExchange exchange) throws IOException {
    byte[] sent = exchange.getRequestBody().readAllBytes();
    received.add(exchange.getRequestMethod() + " " + new String(sent, StandardCharsets.UTF_8));
    Reply reply = replies.poll();
    int status = reply == null ? 200 : reply.status;
    if (reply != null && reply.retryAfter != null) {
      exchange.getResponseHeaders().set("Retry-After", reply.retryAfter);
    }
    byte[] body = ("status " + status).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private void replyOnceReleased(HttpExchange exchange) throws IOException {
    try {
      released.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    reply(exchange);
  }

  private PacedClient.Builder paced(ManualTime time, Limit... limits) {
    return PacedClient.builder(http, limits).store(MemoryStore.builder().time(time).build());
  }

  private HttpRequest.Builder request() {
    return request("/");
  }

  private HttpRequest.Builder request(String path) {
    return new Browser(server.getAddress().getPort()).request(path);
  }

  private HttpResponse<String> send(PacedClient client) throws Exception {
    return client.send(request().build(), BodyHandlers.ofString());
  }

  private CompletableFuture<HttpResponse<String>> sendAsync(PacedClient client) {
    return client.sendAsync(request().build(), BodyHandlers.ofString());
  }

  private static HttpResponse<String> get(Future<HttpResponse<String>> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }

  private static Duration since(Instant start, ManualTime time) {
    return Duration.between(start, time.now());
  }

  // Pacing

  @Test
  void calls_are_made_no_faster_than_the_limit() throws Exception {
    ManualTime time = ManualTime.selfAdvancing();
    Instant start = time.now();
    PacedClient client = paced(time, ONE_A_SECOND).build();
    for (int i = 0; i < 4; i++) {
      assertThat(send(client).statusCode()).isEqualTo(200);
    }
    assertThat(since(start, time)).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void futures_wait_for_their_turn() throws Exception {
    ManualTime time = ManualTime.create();
    PacedClient client = paced(time, ONE_A_SECOND).build();
    get(sendAsync(client));
    CompletableFuture<HttpResponse<String>> second = sendAsync(client);
    time.awaitSleepers(1);
    assertThat(received).hasSize(1);
    time.advance(Duration.ofSeconds(1));
    assertThat(get(second).statusCode()).isEqualTo(200);
  }

  @Test
  void a_call_whose_turn_is_too_far_off_is_not_made() throws Exception {
    PacedClient client =
        paced(ManualTime.create(), Limit.parse("1/minute fixed-window-per-key"))
            .longestWait(Duration.ofSeconds(59))
            .build();
    send(client);
    HeldBackException refused = catchThrowableOfType(HeldBackException.class, () -> send(client));
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofMinutes(1));
    assertThat(refused)
        .hasMessageStartingWith(
            "a call must get its turn within the longest wait: " + HOST + " is held back here,");
    assertThat(received).hasSize(1);
  }

  @Test
  void a_future_whose_turn_is_too_far_off_fails() throws Exception {
    PacedClient client =
        paced(ManualTime.create(), ONE_A_SECOND).longestWait(Duration.ZERO).build();
    send(client);
    assertThatThrownBy(() -> get(sendAsync(client)))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(HeldBackException.class);
  }

  @Test
  void another_key_has_a_pace_of_its_own() throws Exception {
    ManualTime time = ManualTime.create();
    PacedClient client =
        paced(time, ONE_A_SECOND)
            .longestWait(Duration.ZERO)
            .by(request -> request.headers().firstValue("X-Key").orElse("none"))
            .build();
    client.send(request().header("X-Key", "a").build(), BodyHandlers.ofString());
    client.send(request().header("X-Key", "b").build(), BodyHandlers.ofString());
    assertThat(received).hasSize(2);
  }

  @Test
  void clients_that_share_a_store_share_the_pace() throws Exception {
    Store store = MemoryStore.builder().time(ManualTime.create()).build();
    PacedClient one = PacedClient.builder(http, ONE_A_SECOND).store(store).build();
    PacedClient two =
        PacedClient.builder(http, ONE_A_SECOND).store(store).longestWait(Duration.ZERO).build();
    send(one);
    assertThatThrownBy(() -> send(two)).isInstanceOf(HeldBackException.class);
  }

  // Retry-After

  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void a_call_is_made_again_when_the_server_said(int status) throws Exception {
    ManualTime time = ManualTime.selfAdvancing();
    Instant start = time.now();
    replies.add(new Reply(status, "7"));
    assertThat(send(paced(time, MANY).build()).body()).isEqualTo("status 200");
    assertThat(since(start, time)).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void a_call_is_made_again_at_the_date_that_the_server_said() throws Exception {
    ManualTime time = ManualTime.selfAdvancing();
    replies.add(new Reply(429, "Mon, 01 Jan 2024 00:00:09 GMT"));
    assertThat(send(paced(time, MANY).build()).body()).isEqualTo("status 200");
    assertThat(time.now()).isEqualTo("2024-01-01T00:00:09Z");
  }

  @Test
  void a_future_is_completed_by_the_answer_after_the_wait() throws Exception {
    ManualTime time = ManualTime.create();
    replies.add(new Reply(429, "7"));
    CompletableFuture<HttpResponse<String>> future = sendAsync(paced(time, MANY).build());
    time.awaitSleepers(1);
    time.advance(Duration.ofMillis(6999));
    assertThat(received).hasSize(1);
    time.advance(Duration.ofMillis(1));
    assertThat(get(future).body()).isEqualTo("status 200");
    assertThat(received).hasSize(2);
  }

  @Test
  void other_calls_to_the_key_are_held_back_too() throws Exception {
    ManualTime time = ManualTime.create();
    PacedClient client = paced(time, MANY).retries(0).build();
    replies.add(new Reply(429, "7"));
    assertThat(send(client).statusCode()).isEqualTo(429);
    CompletableFuture<HttpResponse<String>> next = sendAsync(client);
    time.awaitSleepers(1);
    assertThat(received).hasSize(1);
    time.advance(Duration.ofSeconds(7));
    assertThat(get(next).statusCode()).isEqualTo(200);
  }

  @Test
  void a_call_that_stood_in_line_when_the_server_spoke_waits_on_and_is_not_charged_twice()
      throws Exception {
    ManualTime time = ManualTime.create();
    Store store = MemoryStore.builder().time(time).build();
    PacedClient client = PacedClient.builder(http, ONE_A_SECOND).store(store).retries(0).build();
    replies.add(new Reply(429, "5"));
    CompletableFuture<HttpResponse<String>> first =
        client.sendAsync(request("/slow").build(), BodyHandlers.ofString());
    CompletableFuture<HttpResponse<String>> second = sendAsync(client);
    time.awaitSleepers(1);
    released.countDown();
    assertThat(get(first).statusCode()).isEqualTo(429);
    time.advance(Duration.ofSeconds(1));
    assertThat(RateLimiter.of(store, ONE_A_SECOND).get(HOST)).isZero();
    time.advance(Duration.ofSeconds(4));
    assertThat(get(second).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "429, POST, 2",
    "429, PATCH, 2",
    "429, GET, 2",
    "503, POST, 1",
    "503, PATCH, 1",
    "503, PUT, 2",
    "503, DELETE, 2",
    "500, GET, 1",
    "200, GET, 1"
  })
  void only_what_may_be_repeated_is_made_again(int status, String method, int calls)
      throws Exception {
    replies.add(new Reply(status, "1"));
    HttpRequest request = request().method(method, BodyPublishers.ofString("body")).build();
    paced(ManualTime.selfAdvancing(), MANY).build().send(request, BodyHandlers.ofString());
    assertThat(received).hasSize(calls).containsOnly(method + " body");
  }

  @Test
  void after_the_last_retry_the_answer_is_returned_as_it_is() throws Exception {
    replies.addAll(Collections.nCopies(9, new Reply(429, "1")));
    HttpResponse<String> response = send(paced(ManualTime.selfAdvancing(), MANY).build());
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(response.body()).isEqualTo("status 429");
    assertThat(received).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-5", "soon", "1.5", ""})
  void an_answer_with_garbage_is_returned_as_it_is_and_holds_nobody(String garbage)
      throws Exception {
    PacedClient client = paced(ManualTime.create(), MANY).build();
    replies.add(new Reply(429, garbage));
    assertThat(send(client).body()).isEqualTo("status 429");
    assertThat(send(client).body()).isEqualTo("status 200");
  }

  @Test
  void an_answer_that_does_not_say_when_is_returned_as_it_is() throws Exception {
    replies.add(new Reply(429, null));
    assertThat(send(paced(ManualTime.create(), MANY).build()).statusCode()).isEqualTo(429);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "31",
        "99999999999999999999",
        "Fri, 31 Dec 9999 23:59:59 GMT",
        "Fri, 31 Dec +99999999 23:59:59 GMT"
      })
  void an_answer_with_more_than_the_longest_wait_is_returned_at_once(String late) throws Exception {
    ManualTime time = ManualTime.selfAdvancing();
    Instant start = time.now();
    replies.add(new Reply(429, late));
    assertThat(send(paced(time, MANY).build()).body()).isEqualTo("status 429");
    assertThat(since(start, time)).isZero();
  }

  @Test
  void a_server_that_asks_for_ages_is_left_alone_for_a_day() throws Exception {
    ManualTime time = ManualTime.create();
    PacedClient client = paced(time, MANY).build();
    replies.add(new Reply(503, "99999999999999999999"));
    send(client);
    assertThatThrownBy(() -> send(client))
        .isInstanceOf(HeldBackException.class)
        .hasMessage(
            "a call must get its turn within the longest wait: "
                + HOST
                + " is held back by the server for another PT24H");
    time.advance(Duration.ofDays(1));
    assertThat(send(client).statusCode()).isEqualTo(200);
  }

  @Test
  void all_waits_of_a_call_together_fit_the_longest_wait() throws Exception {
    ManualTime time = ManualTime.selfAdvancing();
    Instant start = time.now();
    replies.addAll(Collections.nCopies(9, new Reply(429, "7")));
    PacedClient client = paced(time, MANY).longestWait(Duration.ofSeconds(20)).retries(9).build();
    assertThat(send(client).statusCode()).isEqualTo(429);
    assertThat(since(start, time)).isEqualTo(Duration.ofSeconds(14));
  }

  @Test
  void the_handler_sees_only_the_answer_that_counts() throws Exception {
    List<Integer> seen = new ArrayList<>();
    replies.add(new Reply(429, "1"));
    paced(ManualTime.selfAdvancing(), MANY)
        .build()
        .send(
            request().build(),
            info -> {
              seen.add(info.statusCode());
              return BodyHandlers.ofString().apply(info);
            });
    assertThat(seen).containsExactly(200);
  }

  // Ends

  @Test
  void an_interrupted_call_is_not_made_and_takes_nothing() throws Exception {
    ManualTime time = ManualTime.create();
    Store store = MemoryStore.builder().time(time).build();
    PacedClient client = PacedClient.builder(http, ONE_A_SECOND).store(store).build();
    send(client);
    Future<HttpResponse<String>> waiting = threads.submit(() -> send(client));
    time.awaitSleepers(1);
    waiting.cancel(true);
    time.awaitNoSleepers();
    time.advance(Duration.ofSeconds(1));
    assertThat(RateLimiter.of(store, ONE_A_SECOND).get(HOST)).isZero();
    assertThat(received).hasSize(1);
  }

  @Test
  void a_cancelled_future_waits_no_longer() throws Exception {
    ManualTime time = ManualTime.create();
    PacedClient client = paced(time, MANY).build();
    replies.add(new Reply(429, "7"));
    CompletableFuture<HttpResponse<String>> future = sendAsync(client);
    time.awaitSleepers(1);
    future.cancel(true);
    time.awaitNoSleepers();
    assertThat(received).hasSize(1);
  }

  @Test
  void cancelling_a_future_ends_its_exchange() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      silent.setSoTimeout(20_000);
      CompletableFuture<?> future =
          PacedClient.of(http, "1000/second")
              .sendAsync(
                  new Browser(silent.getLocalPort()).request("/").build(),
                  BodyHandlers.discarding());
      try (Socket connection = silent.accept()) {
        connection.setSoTimeout(20_000);
        assertThat(connection.getInputStream().read()).isEqualTo('G');
        future.cancel(true);
        assertThat(connection.getInputStream().readAllBytes()).isNotEmpty(); // until it is closed
      }
    }
  }

  @Test
  void a_server_that_is_not_there_is_reported_as_ever() {
    HttpRequest nowhere = request().build();
    server.stop(0);
    PacedClient client = PacedClient.of(http, "1000/second");
    assertThatThrownBy(() -> client.send(nowhere, BodyHandlers.ofString()))
        .isInstanceOf(ConnectException.class);
    assertThatThrownBy(
            () -> client.sendAsync(nowhere, BodyHandlers.ofString()).get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(ConnectException.class);
  }

  @Test
  void settings_that_make_no_sense_are_refused() {
    assertThatThrownBy(() -> PacedClient.builder(http))
        .hasMessage("a paced client must have at least one limit: 0");
    PacedClient.Builder builder = PacedClient.builder(http, MANY);
    assertThatThrownBy(() -> builder.longestWait(Duration.ofSeconds(-1)))
        .hasMessage("the longest wait must be zero or longer: PT-1S");
    assertThatThrownBy(() -> builder.retries(-1)).hasMessage("retries must be 0 or more: -1");
  }

  @Test
  void a_call_without_a_key_is_refused_with_the_cure() {
    PacedClient client = PacedClient.builder(http, MANY).by(request -> "").build();
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost/")).build();
    assertThatThrownBy(() -> client.send(request, HttpResponse.BodyHandlers.discarding()))
        .hasMessage(
            "a call must have a key, not null or an empty one: http://localhost/ GET; let the"
                + " function given to by(...) answer some word where it knows none");
  }
}
