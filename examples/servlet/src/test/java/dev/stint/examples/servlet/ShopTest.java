package dev.stint.examples.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShopTest {

  private final HttpClient client = HttpClient.newHttpClient();
  private Server server;
  private URI root;

  @BeforeEach
  void start() throws Exception {
    server = Shop.start(0);
    root = URI.create("http://127.0.0.1:" + server.getURI().getPort() + "/");
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  @Test
  void greets_five_times_and_then_says_when_to_come_back() throws Exception {
    for (int left = 4; left >= 0; left--) {
      HttpResponse<String> response = hello();
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("RateLimit").orElseThrow())
          .startsWith("\"api\";r=" + left + ";");
    }
    HttpResponse<String> refused = hello();
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1L, 12L);
    assertThat(refused.body()).contains("\"violated-policies\":[\"api\"]");
  }

  @Test
  void only_wrong_passwords_count() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThat(login("swordfish").statusCode()).isEqualTo(200);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(login("guess").statusCode()).isEqualTo(401);
    }
    assertThat(login("swordfish").statusCode()).isEqualTo(429);
  }

  private HttpResponse<String> hello() throws Exception {
    return client.send(
        HttpRequest.newBuilder(root.resolve("hello")).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> login(String password) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(root.resolve("login"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("password=" + password))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }
}
