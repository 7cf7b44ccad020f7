package dev.stint.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.stint.testkit.ManualTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Mono;

/** A Gateway in front of a server, with Stint behind its filter {@code RequestRateLimiter}. */
class GatewayTest {

  private static final String WITHOUT_REDIS =
      "--spring.cloud.gateway.server.webflux.redis.enabled=false";

  @TempDir Path folder;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private HttpServer server;
  private ConfigurableApplicationContext gateway;

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Gateway {

    @Bean
    ManualTime time() {
      return ManualTime.create();
    }

    @Bean
    KeyResolver apiKey() {
      return exchange -> Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Api-Key"));
    }
  }

  @BeforeEach
  void startServer() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = "hello".getBytes(java.nio.charset.StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    if (gateway != null) {
      gateway.close();
    }
    server.stop(0);
  }

  private void start(String routes, String... arguments) throws Exception {
    String target = "http://127.0.0.1:" + server.getAddress().getPort();
    Path file =
        Files.writeString(
            folder.resolve("gateway.yaml"),
            """
            server.port: 0
            spring:
              main.banner-mode: "off"
              cloud.compatibility-verifier.enabled: false # no Gateway is released for Boot 4.1 yet
              cloud.gateway.server.webflux:
            """
                + routes.replace("TARGET", target).indent(4));
    String[] all = new String[arguments.length + 1];
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[0] = "--spring.config.location=file:" + file;
    gateway = new SpringApplicationBuilder(Gateway.class).run(all);
  }

  private HttpResponse<String> get(String path, String key) throws Exception {
    String port = gateway.getEnvironment().getProperty("local.server.port");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    if (!key.isEmpty()) {
      request.header("X-Api-Key", key);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private int status(String path, String key) throws Exception {
    return get(path, key).statusCode();
  }

  private static String route(String id, String... arguments) {
    StringBuilder route = new StringBuilder("  - id: " + id + "\n");
    route.append("    uri: TARGET\n");
    route.append("    predicates: [Path=/" + id + "/**]\n");
    route.append("    filters:\n");
    route.append("      - name: RequestRateLimiter\n");
    route.append("        args:\n");
    for (String argument : arguments) {
      route.append("          " + argument + "\n");
    }
    return route.toString();
  }

  @Test
  void each_route_has_limits_of_its_own_for_each_key() throws Exception {
    start(
        "routes:\n"
            + route("orders", "stint.limit: 2/min; 100/day")
            + route("search", "stint.limit: 3/min"),
        WITHOUT_REDIS);
    assertThat(gateway.getBean(RateLimiter.class)).isInstanceOf(GatewayRateLimiter.class);
    HttpResponse<String> first = get("/orders/1", "ann");
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.body()).isEqualTo("hello");
    assertThat(first.headers().firstValue("RateLimit")).contains("\"orders.minute\";r=1;t=30");
    assertThat(status("/orders/2", "ann")).isEqualTo(200);
    HttpResponse<String> refused = get("/orders/3", "ann");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).contains("30");
    assertThat(status("/orders/4", "bob")).isEqualTo(200);
    for (int i = 0; i < 3; i++) {
      assertThat(status("/search/1", "ann")).isEqualTo(200);
    }
    assertThat(status("/search/1", "ann")).isEqualTo(429);
    gateway.getBean(ManualTime.class).advance(Duration.ofSeconds(30));
    assertThat(status("/orders/5", "ann")).isEqualTo(200);
  }

  @Test
  void a_request_without_a_key_is_the_gateways_affair() throws Exception {
    start("routes:\n" + route("orders", "stint.limit: 2/min"), WITHOUT_REDIS);
    assertThat(status("/orders/1", "")).isEqualTo(403);
  }

  @Test
  void costs_ids_of_any_letters_and_default_filters_hold() throws Exception {
    start(
        """
        default-filters:
          - name: RequestRateLimiter
            args:
              stint.limit: 5/min
              stint.cost: 2
        routes:
          - id: "Rechnungen: alle/übrigen"
            uri: TARGET
            predicates: [Path=/bills/**]
        """,
        WITHOUT_REDIS);
    assertThat(status("/bills/1", "ann")).isEqualTo(200);
    assertThat(status("/bills/1", "ann")).isEqualTo(200);
    assertThat(status("/bills/1", "ann")).isEqualTo(429);
  }

  @Test
  void counts_are_kept_when_routes_are_loaded_again() throws Exception {
    start("routes:\n" + route("orders", "stint.limit: 1/min"), WITHOUT_REDIS);
    assertThat(status("/orders/1", "ann")).isEqualTo(200);
    gateway.publishEvent(new RefreshRoutesEvent(this));
    assertThat(status("/orders/1", "ann")).isEqualTo(429);
  }

  @Test
  void beside_the_gateways_own_limiter_routes_name_it() throws Exception {
    start(
        "routes:\n"
            + route("orders", "stint.limit: 1/min", "rate-limiter: \"#{@stintRateLimiter}\""));
    assertThat(gateway.getBean(RateLimiter.class).getClass().getSimpleName())
        .isEqualTo("RedisRateLimiter");
    assertThat(status("/orders/1", "ann")).isEqualTo(200);
    assertThat(status("/orders/1", "ann")).isEqualTo(429);
  }

  @Test
  void the_routes_of_the_page_are_understood() throws Exception {
    String page = Files.readString(Path.of("../../docs/from-spring-cloud-gateway.md"));
    String yaml = page.substring(page.indexOf("```yaml\n") + 8);
    String routes = yaml.substring(yaml.indexOf("          routes:"), yaml.indexOf("```"));
    start(routes.stripIndent().replace("https://orders.example.com", "TARGET"));
    HttpResponse<String> first = get("/orders/1", "ann");
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.headers().firstValue("RateLimit")).contains("\"orders\";r=19;t=1");
  }

  @Test
  void a_limit_that_cannot_be_read_stops_the_start() {
    assertThatThrownBy(
            () -> start("routes:\n" + route("orders", "stint.limit: 1/minit"), WITHOUT_REDIS))
        .hasStackTraceContaining("unknown unit 'minit'");
  }

  @Test
  void an_argument_that_does_not_exist_stops_the_start() {
    assertThatThrownBy(
            () -> start("routes:\n" + route("orders", "stint.limits: 1/min"), WITHOUT_REDIS))
        .hasStackTraceContaining(
            "the arguments of the route orders must be stint.limit and stint.cost:"
                + " stint.limits is neither");
  }
}
