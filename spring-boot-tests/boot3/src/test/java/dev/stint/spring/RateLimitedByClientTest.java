package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.http.KeySource;
import dev.stint.testkit.ManualTime;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Methods that count by the client of the web request they are called for, over real sockets. */
class RateLimitedByClientTest {

  private static final String PROXY = "stint.trusted-proxies=127.0.0.1";
  private static final String FRAMEWORK = "server.forward-headers-strategy=framework";

  @SpringBootConfiguration
  @EnableAutoConfiguration
  @Import({HelloApp.ServletSecurity.class, HelloApp.WebFluxSecurity.class})
  static class Base {

    @Bean
    ManualTime time() {
      return ManualTime.create();
    }
  }

  @Import({Base.class, Shop.class, KotlinShop.class, Polite.class})
  static class App {

    @Bean
    Stock stock() {
      return new Stock();
    }

    @Bean
    Client client() {
      return new Client();
    }

    @Bean
    KeySource team() {
      return KeySource.of("team", request -> request.header("X-Team"));
    }
  }

  static class Stock {

    @RateLimited(value = "1/min", by = "header:X-Api-Key", name = "stock")
    Mono<String> take() {
      return Mono.just("taken");
    }
  }

  /** As those that are made of interfaces: what it has mappings for is called, not served. */
  static class Client {

    @GetMapping("/remote")
    @RateLimited(value = "1/min", name = "client")
    String remote() {
      return "remote";
    }
  }

  @RestController
  static class Shop {
    private final Stock stock;
    private final Client client;

    Shop(Stock stock, Client client) {
      this.stock = stock;
      this.client = client;
    }

    @GetMapping("/plain")
    @RateLimited("1/min")
    String plain() {
      return "plain";
    }

    @GetMapping("/future")
    @RateLimited("1/min")
    CompletableFuture<String> future() {
      return CompletableFuture.completedFuture("future");
    }

    @GetMapping("/mono")
    @RateLimited("1/min")
    Mono<String> mono() {
      return Mono.just("mono");
    }

    @GetMapping("/flux")
    @RateLimited("1/min")
    Flux<String> flux() {
      return Flux.just("fl", "ux");
    }

    @PostMapping("/body")
    @RateLimited("1/min")
    String body(@RequestBody String body) {
      return body;
    }

    @GetMapping("/all")
    @RateLimited(value = "1/min", by = "all")
    String all() {
      return "all";
    }

    @GetMapping("/key")
    @RateLimited(value = "1/min", by = "header:X-Api-Key")
    String key() {
      return "key";
    }

    @GetMapping("/first")
    @RateLimited(value = "1/min", by = "header:X-Api-Key | cookie:id | address")
    Mono<String> first() {
      return Mono.just("first");
    }

    @GetMapping("/together")
    @RateLimited(value = "1/min", by = "header:X-Api-Key + address")
    String together() {
      return "together";
    }

    @GetMapping("/team")
    @RateLimited(value = "1/min", by = "team")
    String team() {
      return "team";
    }

    @GetMapping("/user/{user}")
    @RateLimited(value = "1/min", by = "#user")
    @RateLimited("2/min")
    String user(@PathVariable("user") String user) {
      return user;
    }

    @GetMapping("/private/plain")
    @RateLimited(value = "1/min", by = "principal")
    String mine() {
      return "mine";
    }

    @GetMapping("/private/mono")
    @RateLimited(value = "1/min", by = "principal")
    Mono<String> monoOfMine() {
      return Mono.just("mine");
    }

    @GetMapping("/route/{id}")
    @RateLimited(value = "1/min", by = "route")
    String route() {
      return "route";
    }

    @GetMapping("/stock")
    Mono<String> stock() {
      return stock.take();
    }

    @GetMapping("/client")
    String client() {
      return client.remote();
    }
  }

  @RestController
  static class Polite {

    @GetMapping("/polite")
    @RateLimited("1/min")
    String polite() {
      return "polite";
    }

    @ExceptionHandler
    String later(RateLimitedException refused) {
      return "later";
    }
  }

  /** The same on both kinds of servers. */
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class OnAnyServer {

    private RunningApp app;

    abstract String kind();

    @BeforeAll
    void start() {
      app = RunningApp.of(kind(), App.class, PROXY);
    }

    @AfterAll
    void stop() {
      app.close();
    }

    private int status(String path, String... headers) throws Exception {
      return app.get(path, headers).statusCode();
    }

    private int from(String forwardedFor, String path) throws Exception {
      return status(path, "X-Forwarded-For", forwardedFor);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "future", "mono", "flux", "suspending"})
    void a_handler_counts_each_address_by_itself(String path) throws Exception {
      assertThat(app.get("/" + path, "X-Forwarded-For", "198.51.100.1, 192.0.2.1").body())
          .isEqualTo(path);
      assertThat(from("198.51.100.2, 192.0.2.1", "/" + path)).isEqualTo(429);
      assertThat(from("198.51.100.1, 192.0.2.2", "/" + path)).isEqualTo(200);
      assertThat(from("2001:db8:1::1", "/" + path)).isEqualTo(200);
      assertThat(from("2001:db8:1::2", "/" + path)).isEqualTo(429);
    }

    @Test
    void a_handler_may_read_the_body_first() throws Exception {
      assertThat(post("192.0.2.1", "one")).isEqualTo(200);
      assertThat(post("192.0.2.1", "two")).isEqualTo(429);
      assertThat(post("192.0.2.2", "x".repeat(200_000))).isEqualTo(200);
    }

    private int post(String address, String body) throws Exception {
      return app.send(
              HttpRequest.newBuilder(app.uri("/body"))
                  .header("X-Forwarded-For", address)
                  .header("Content-Type", "text/plain")
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build())
          .statusCode();
    }

    @Test
    void a_word_says_that_all_callers_share_one_budget() throws Exception {
      assertThat(from("192.0.2.1", "/all")).isEqualTo(200);
      assertThat(from("192.0.2.2", "/all")).isEqualTo(429);
    }

    @Test
    void a_header_that_is_repeated_is_as_one_that_is_missing() throws Exception {
      assertThat(status("/key", "X-Api-Key", "a")).isEqualTo(200);
      assertThat(status("/key", "X-Api-Key", "a")).isEqualTo(429);
      assertThat(status("/key", "X-Api-Key", "b")).isEqualTo(200);
      assertThat(status("/key")).isEqualTo(200);
      assertThat(status("/key", "X-Api-Key", "c", "X-Api-Key", "d")).isEqualTo(429);
    }

    @Test
    void the_first_of_several_words_that_is_there_counts() throws Exception {
      assertThat(status("/first", "X-Api-Key", "a", "Cookie", "id=7")).isEqualTo(200);
      assertThat(status("/first", "X-Api-Key", "a", "Cookie", "id=8")).isEqualTo(429);
      assertThat(status("/first", "Cookie", "id=7")).isEqualTo(200);
      assertThat(status("/first", "Cookie", "id=7")).isEqualTo(429);
      assertThat(from("192.0.2.1", "/first")).isEqualTo(200);
      assertThat(from("192.0.2.1", "/first")).isEqualTo(429);
    }

    @Test
    void several_words_together_are_one_key() throws Exception {
      assertThat(status("/together", "X-Api-Key", "a", "X-Forwarded-For", "192.0.2.1"))
          .isEqualTo(200);
      assertThat(status("/together", "X-Api-Key", "a", "X-Forwarded-For", "192.0.2.2"))
          .isEqualTo(200);
      assertThat(status("/together", "X-Api-Key", "a", "X-Forwarded-For", "192.0.2.1"))
          .isEqualTo(429);
    }

    @Test
    void a_key_source_of_the_application_is_named() throws Exception {
      assertThat(status("/team", "X-Team", "red")).isEqualTo(200);
      assertThat(status("/team", "X-Team", "blue")).isEqualTo(200);
      assertThat(status("/team", "X-Team", "red")).isEqualTo(429);
    }

    @Test
    void an_argument_and_the_client_count_beside_each_other() throws Exception {
      assertThat(from("192.0.2.1", "/user/ann")).isEqualTo(200);
      assertThat(from("192.0.2.9", "/user/ann")).isEqualTo(429);
      assertThat(from("192.0.2.1", "/user/bob")).isEqualTo(200);
      assertThat(from("192.0.2.1", "/user/cid")).isEqualTo(429);
      assertThat(from("192.0.2.2", "/user/cid")).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/private/plain", "/private/mono"})
    void users_are_counted_by_their_names(String path) throws Exception {
      assertThat(status(path, "Authorization", basic("ann"))).isEqualTo(200);
      assertThat(status(path, "Authorization", basic("ann"))).isEqualTo(429);
      assertThat(status(path, "Authorization", basic("bob"))).isEqualTo(200);
    }

    private static String basic(String user) {
      return "Basic "
          + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_route_is_the_template_of_the_handler() throws Exception {
      assertThat(status("/route/1")).isEqualTo(200);
      assertThat(status("/route/2")).isEqualTo(429);
    }

    @Test
    void a_method_behind_a_handler_counts_by_the_same_request() throws Exception {
      assertThat(status("/stock", "X-Api-Key", "a")).isEqualTo(200);
      assertThat(status("/stock", "X-Api-Key", "b")).isEqualTo(200);
      assertThat(status("/stock", "X-Api-Key", "a")).isEqualTo(429);
    }

    @Test
    void a_method_that_is_called_outside_any_request_has_no_key() {
      Stock stock = app.bean(Stock.class);
      assertThat(stock.take().block()).isEqualTo("taken");
      assertThatThrownBy(() -> stock.take().block()).isInstanceOf(RateLimitedException.class);
    }

    @Test
    void a_client_with_mappings_is_no_handler_and_has_one_budget() throws Exception {
      assertThat(from("192.0.2.1", "/client")).isEqualTo(200);
      assertThat(from("192.0.2.2", "/client")).isEqualTo(429);
    }

    @Test
    void a_controller_may_answer_its_own_refusals() throws Exception {
      assertThat(app.get("/polite").body()).isEqualTo("polite");
      assertThat(app.get("/polite").body()).isEqualTo("later");
    }
  }

  /** On Tomcat. */
  @Nested
  class OnTomcat extends OnAnyServer {
    @Override
    String kind() {
      return "servlet";
    }
  }

  /** On Netty. */
  @Nested
  class OnNetty extends OnAnyServer {
    @Override
    String kind() {
      return "webflux";
    }
  }

  @Import({Base.class, ByAddress.class})
  static class AddressApp {}

  @RestController
  static class ByAddress {

    @GetMapping("/address")
    @RateLimited("1/min")
    String address() {
      return "address";
    }
  }

  @ParameterizedTest
  @CsvSource({
    "servlet, stint.trusted-proxies=, none",
    "webflux, stint.trusted-proxies=, none",
    "servlet, stint.trusted-proxies=10.0.0.0/8, framework",
    "webflux, stint.trusted-proxies=10.0.0.0/8, framework"
  })
  void no_client_chooses_its_address(String kind, String proxies, String strategy)
      throws Exception {
    String forwarded = "server.forward-headers-strategy=" + strategy;
    try (RunningApp app = RunningApp.of(kind, AddressApp.class, proxies, forwarded)) {
      assertThat(app.get("/address", "X-Forwarded-For", "192.0.2.1").statusCode()).isEqualTo(200);
      assertThat(app.get("/address", "X-Forwarded-For", "192.0.2.2").statusCode()).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void an_application_in_which_a_client_could_choose_its_address_does_not_start(String kind) {
    assertThatThrownBy(() -> RunningApp.of(kind, AddressApp.class, FRAMEWORK).close())
        .hasStackTraceContaining("STINT-HTTP-2");
  }

  @Import({Base.class, ByKey.class})
  static class KeyApp {}

  @RestController
  static class ByKey {

    @GetMapping("/key")
    @RateLimited(value = "1/min", by = "header:X-Api-Key", name = "key")
    String key() {
      return "key";
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void methods_that_do_not_count_by_address_may_start(String kind) {
    assertThatCode(() -> RunningApp.of(kind, KeyApp.class, FRAMEWORK).close())
        .doesNotThrowAnyException();
  }

  @Test
  void a_rule_must_not_have_the_name_of_a_method() {
    assertThatThrownBy(
            () -> RunningApp.servlet(KeyApp.class, "stint.rules.key.limit=9/min").close())
        .hasStackTraceContaining("the name must not be that of a rule already: key");
  }

  @Import({Base.class, ByTenant.class})
  static class TenantApp {}

  @RestController
  static class ByTenant {

    @GetMapping("/tenant")
    @RateLimited(value = "1/min", by = "tenant")
    String tenant() {
      return "tenant";
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_tenant_is_found_as_rules_find_it(String kind) throws Exception {
    assertThatThrownBy(() -> RunningApp.of(kind, TenantApp.class).close())
        .hasStackTraceContaining("a key by tenant must be told how to find one. Set stint.tenant");
    try (RunningApp app = RunningApp.of(kind, TenantApp.class, "stint.tenant=header:X-Tenant")) {
      assertThat(app.get("/tenant", "X-Tenant", "a").statusCode()).isEqualTo(200);
      assertThat(app.get("/tenant", "X-Tenant", "b").statusCode()).isEqualTo(200);
      assertThat(app.get("/tenant", "X-Tenant", "a").statusCode()).isEqualTo(429);
    }
  }

  @Import(Base.class)
  static class LazyApp {

    @Bean
    @Lazy
    ByTenant late() {
      return new ByTenant();
    }
  }

  @Test
  void a_lazy_bean_is_checked_when_it_is_made() {
    try (RunningApp app = RunningApp.servlet(LazyApp.class)) {
      assertThatThrownBy(() -> app.bean(ByTenant.class))
          .hasStackTraceContaining("a key by tenant must be told how to find one");
    }
  }

  @Import(Base.class)
  static class PlainService {

    @Bean
    Teller teller() {
      return new Teller();
    }
  }

  static class Teller {

    @RateLimited(value = "1/min", by = "address")
    String ask() {
      return "asked";
    }
  }

  @Test
  void a_plain_method_behind_handlers_of_webflux_cannot_know_its_request() {
    assertThatThrownBy(() -> RunningApp.webFlux(PlainService.class).close())
        .hasStackTraceContaining(
            "a method that counts by requests of WebFlux must be a handler, return a publisher or"
                + " suspend: it returns String");
    assertThatCode(() -> RunningApp.servlet(PlainService.class).close()).doesNotThrowAnyException();
  }
}
