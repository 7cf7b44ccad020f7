package dev.stint.examples.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

class WebFluxExampleTest {

  private final HttpClient client = HttpClient.newHttpClient();
  private ConfigurableApplicationContext app;

  @BeforeEach
  void start() {
    app =
        SpringApplication.run(
            WebFluxExample.class,
            "--server.port=0",
            // Reactor Netty 1.3.7 may stop reading a connection that is kept alive (its issue
            // 4361).
            "--server.netty.max-keep-alive-requests=1");
  }

  @AfterEach
  void stop() {
    app.close();
  }

  @Test
  void greets_five_times_and_then_says_when_to_come_back() throws Exception {
    for (int left = 4; left >= 0; left--) {
      HttpResponse<String> response = get("/hello/ann");
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("RateLimit").orElseThrow())
          .startsWith("\"api\";r=" + left + ";");
    }
    HttpResponse<String> refused = get("/hello/bob");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1L, 12L);
  }

  @Test
  void a_search_costs_what_it_returns() throws Exception {
    assertThat(get("/search?pages=7").body()).endsWith("page 7\n");
    HttpResponse<String> refused = get("/search?pages=7");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(20L, 24L);
    assertThat(get("/search?pages=3").statusCode()).isEqualTo(200);
  }

  private HttpResponse<String> get(String path) throws Exception {
    String port = app.getEnvironment().getProperty("local.server.port");
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
