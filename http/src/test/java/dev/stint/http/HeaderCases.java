package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.lab.HeaderCase;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Asks a server the cases that all servers answer alike. */
public final class HeaderCases {

  /** Starts a server with one handler behind a limiter. */
  public interface Servers {
    Running start(HttpLimiter limiter) throws Exception;
  }

  /** A running server. */
  public interface Running extends AutoCloseable {
    int port();
  }

  private HeaderCases() {}

  /** One test for each case. */
  public static Stream<DynamicTest> on(Servers servers) {
    return HeaderCase.all().stream()
        .map(asked -> DynamicTest.dynamicTest(asked.title(), () -> ask(asked, servers)));
  }

  private static void ask(HeaderCase asked, Servers servers) throws Exception {
    ManualTime time = ManualTime.at(HeaderCase.START);
    try (MemoryStore store = MemoryStore.builder().time(time).build();
        Running server =
            servers.start(HttpLimiter.builder(store).rule(RuleOfCase.of(asked)).build())) {
      HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
      for (HeaderCase.Step step : asked.steps()) {
        time.advance(Duration.ofMillis(step.after()));
        HttpRequest.Builder request =
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + server.port() + HeaderCase.PATH))
                .POST(BodyPublishers.noBody());
        step.request().forEach(request::header);
        HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as("%s", step).isEqualTo(step.status());
        assertThat(rateLimitHeaders(response)).as("%s", step).isEqualTo(step.answer());
      }
    }
  }

  private static Map<String, String> rateLimitHeaders(HttpResponse<?> response) {
    Map<String, String> found = new TreeMap<>();
    response
        .headers()
        .map()
        .forEach(
            (name, lines) -> {
              if (HeaderCase.speaksOf(name)) {
                found.put(name.toLowerCase(java.util.Locale.ROOT), String.join(" AND ", lines));
              }
            });
    return found;
  }
}
