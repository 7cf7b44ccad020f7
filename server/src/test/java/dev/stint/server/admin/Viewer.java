package dev.stint.server.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Somebody who watches, and reads JSON into maps, lists, strings, numbers and nulls. */
final class Viewer implements AutoCloseable {

  /** One event. */
  record Event(String name, Map<String, @Nullable Object> data) {}

  private static final JsonFactory JSON = new JsonFactory();

  private final HttpResponse<InputStream> response;
  private final BufferedReader lines;

  Viewer(HttpClient client, int port, String... headers) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/events"));
    if (headers.length > 0) {
      request.headers(headers);
    }
    response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  int status() {
    return response.statusCode();
  }

  HttpResponse<InputStream> response() {
    return response;
  }

  /** The next event; fails if the stream has ended. */
  Event next() throws IOException {
    String name = Objects.requireNonNull(lines.readLine(), "the stream has ended");
    String data = Objects.requireNonNull(lines.readLine());
    lines.readLine();
    return new Event(name.substring("event: ".length()), object(data.substring("data: ".length())));
  }

  /** The next snapshot, whatever comes before it. */
  Map<String, @Nullable Object> snapshot() throws IOException {
    Event event = next();
    return event.name().equals("snapshot") ? event.data() : snapshot();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }

  @SuppressWarnings("unchecked")
  static Map<String, @Nullable Object> object(String json) {
    try (JsonParser parser = JSON.createParser(json)) {
      parser.nextToken();
      return (Map<String, @Nullable Object>) Objects.requireNonNull(value(parser));
    } catch (IOException e) {
      throw new UncheckedIOException(json, e);
    }
  }

  /** What is found by names and, in lists, numbers: {@code at(snapshot, "policies", 0, "use")}. */
  static @Nullable Object at(@Nullable Object from, Object... path) {
    @Nullable Object here = from;
    for (Object step : path) {
      here =
          here instanceof Map<?, ?> map
              ? map.get(step)
              : ((List<?>) Objects.requireNonNull(here)).get((Integer) step);
    }
    return here;
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          map.put(name, value(parser));
        }
        yield map;
      }
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser));
        }
        yield list;
      }
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> parser.getText();
    };
  }
}
