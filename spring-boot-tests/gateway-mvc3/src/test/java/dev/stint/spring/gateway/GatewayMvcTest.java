package dev.stint.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions.uri;
import static org.springframework.cloud.gateway.server.mvc.handler.GatewayRouterFunctions.route;
import static org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions.http;

import com.sun.net.httpserver.HttpServer;
import dev.stint.testkit.ManualTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** A Gateway on MVC in front of a server, with limits on a route and rules in front of all. */
class GatewayMvcTest {

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
    RouterFunction<ServerResponse> orders(RouteLimits limits, Environment environment) {
      return route("orders")
          .GET("/orders/**", http())
          .before(uri(environment.getRequiredProperty("test.target")))
          .filter(
              limits.perKey(
                  "orders", "2/min", request -> request.headers().firstHeader("X-Api-Key")))
          .build();
    }
  }

  @BeforeEach
  void startServer() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    gateway.close();
    server.stop(0);
  }

  private void start(String... rules) {
    String[] all = new String[rules.length + 4];
    System.arraycopy(rules, 0, all, 4, rules.length);
    all[0] = "--server.port=0";
    all[1] = "--spring.main.banner-mode=off";
    all[2] = "--spring.cloud.compatibility-verifier.enabled=false"; // none is released for Boot 4.1
    all[3] = "--test.target=http://127.0.0.1:" + server.getAddress().getPort();
    gateway = new SpringApplicationBuilder(Gateway.class).run(all);
  }

  private HttpResponse<String> get(String key) throws Exception {
    String port = gateway.getEnvironment().getProperty("local.server.port");
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders/1"))
            .header("X-Api-Key", key)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void a_route_has_limits_for_each_key() throws Exception {
    start();
    HttpResponse<String> first = get("ann");
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.body()).isEqualTo("hello");
    assertThat(first.headers().firstValue("RateLimit")).contains("\"orders\";r=1;t=30");
    assertThat(get("ann").statusCode()).isEqualTo(200);
    HttpResponse<String> refused = get("ann");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).contains("30");
    assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(refused.body()).contains("\"violated-policies\":[\"orders\"]");
    assertThat(get("bob").statusCode()).isEqualTo(200);
  }

  @Test
  void rules_hold_in_front_of_all_routes() throws Exception {
    start("--stint.rules.all.limit=1/min", "--stint.rules.all.match=/orders/**");
    assertThat(get("ann").statusCode()).isEqualTo(200);
    assertThat(get("bob").statusCode()).isEqualTo(429);
  }
}
