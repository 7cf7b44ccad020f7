package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.lab.HeaderCase;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
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

    /** Sends the request of all cases. */
    default Reply ask(Map<String, String> headers) throws Exception {
      return overHttp(port(), headers);
    }
  }

  /** An answer: its status as HTTP has it, and its headers. */
  public record Reply(int status, Map<String, String> headers) {}

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
      for (HeaderCase.Step step : asked.steps()) {
        time.advance(Duration.ofMillis(step.after()));
        Reply reply = server.ask(step.request());
        assertThat(reply.status()).as("%s", step).isEqualTo(step.status());
        assertThat(spokenOf(reply)).as("%s", step).isEqualTo(step.answer());
      }
    }
  }

  private static Map<String, String> spokenOf(Reply reply) {
    Map<String, String> found = new TreeMap<>();
    reply
        .headers()
        .forEach(
            (name, value) -> {
              if (HeaderCase.speaksOf(name)) {
                found.put(name.toLowerCase(Locale.ROOT), value);
              }
            });
    return found;
  }

  private static Reply overHttp(int port, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + HeaderCase.PATH))
            .version(HttpClient.Version.HTTP_1_1)
            .POST(BodyPublishers.noBody());
    headers.forEach(request::header);
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    Map<String, String> answer = new TreeMap<>();
    // Two lines of one name would be a mistake of its own: it shows.
    response
        .headers()
        .map()
        .forEach((name, lines) -> answer.put(name, String.join(" AND ", lines)));
    return new Reply(response.statusCode(), answer);
  }
}
