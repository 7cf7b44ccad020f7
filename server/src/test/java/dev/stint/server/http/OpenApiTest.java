package dev.stint.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import dev.stint.Limit;
import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.config.RlsSettings;
import dev.stint.server.config.Secret;
import dev.stint.server.config.StoreSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keeps the OpenAPI document true: every response that it promises is asked for, with its own
 * examples, and must be as its schema says.
 *
 * <p>An example is named after the status it gets, sometimes with more words. Statuses that no
 * example can get are brought about here: 401 by a service with clients, 403 by the mark that a
 * browser sets, 413 and 415 by another body, 503 by a service without its store.
 */
class OpenApiTest {

  private static RunningHttp http;
  private static RunningHttp gated;
  private static RunningHttp storeless;
  private static JsonNode document;

  @BeforeAll
  static void start() {
    http = RunningHttp.start(RunningHttp.standard().withRls(edge()));
    gated =
        RunningHttp.start(
            RunningHttp.standard()
                .withClients(
                    Clients.of(
                        Map.of(
                            "team-a",
                            ClientSettings.changing(Secret.of("a token of some length"))))));
    storeless =
        RunningHttp.startAsConfigured(
            RunningHttp.standard().withStore(StoreSettings.at("redis://127.0.0.1:1")));
    document = RunningHttp.json(http.get("/openapi.json"));
  }

  /** The domain of the examples: four a minute for each user. */
  private static RlsSettings edge() {
    Limit limit = Limit.fixedWindow(4, Duration.ofMinutes(1)).named("_rls");
    RlsSettings.Rule rule =
        new RlsSettings.Rule(
            Optional.of(limit), false, 4, "minute", 1, "", List.of(), OnStoreError.LOCAL);
    RlsSettings.Node user =
        new RlsSettings.Node("user", Optional.empty(), Optional.of(rule), false, false, List.of());
    return new RlsSettings(Duration.ofMillis(12), Map.of("edge", List.of(user)));
  }

  @AfterAll
  static void stop() {
    http.close();
    gated.close();
    storeless.close();
  }

  /** One promise of the document: this example gets this status. */
  record Promise(String path, String method, String status, String example, JsonNode operation) {
    @Override
    public String toString() {
      return method + " " + path + " " + example;
    }
  }

  static Stream<Promise> promises() {
    List<Promise> promises = new ArrayList<>();
    RunningHttp.json(resource())
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        operation ->
                            promises(
                                promises,
                                path.getKey(),
                                operation.getKey(),
                                operation.getValue())));
    return promises.stream();
  }

  private static void promises(
      List<Promise> promises, String path, String method, JsonNode operation) {
    Set<String> examples = new TreeSet<>();
    examples(operation).properties().forEach(one -> examples.add(one.getKey()));
    operation
        .path("parameters")
        .forEach(one -> one.path("examples").properties().forEach(e -> examples.add(e.getKey())));
    String asked = method.toUpperCase(Locale.ROOT);
    for (Map.Entry<String, JsonNode> response : operation.path("responses").properties()) {
      String status = response.getKey();
      if (status.equals("default")) {
        continue;
      }
      Set<String> mine =
          examples.stream().filter(one -> one.startsWith(status)).collect(Collectors.toSet());
      for (String example : mine.isEmpty() ? Set.of(status) : mine) {
        promises.add(new Promise(path, asked, status, example, operation));
      }
    }
  }

  private static JsonNode examples(JsonNode operation) {
    return operation.path("requestBody").path("content").path("application/json").path("examples");
  }

  @ParameterizedTest
  @MethodSource("promises")
  void every_response_is_as_promised(Promise promise) {
    HttpResponse<String> response = ask(promise);
    for (int i = 0; i < 10 && response.statusCode() != Integer.parseInt(promise.status); i++) {
      response = ask(promise); // a limit must first be used up
    }

    assertThat(response.statusCode()).hasToString(promise.status);
    JsonNode promised = resolved(promise.operation.path("responses").path(promise.status));
    String type = response.headers().firstValue("content-type").orElseThrow();
    assertThat(promised.path("content").has(type)).as("content type %s", type).isTrue();
    JsonNode body =
        type.contains("json")
            ? RunningHttp.json(response)
            : JsonNodeFactory.instance.textNode(response.body());
    assertThat(mistakes(promised.path("content").path(type).path("schema"), body)).isEmpty();
    for (Map.Entry<String, JsonNode> header : promised.path("headers").properties()) {
      boolean present = response.headers().firstValue(header.getKey()).isPresent();
      boolean never = header.getKey().equals("Retry-After") && body.has("neverFits");
      assertThat(present).as(header.getKey()).isEqualTo(!never);
    }
  }

  private static HttpResponse<String> ask(Promise promise) {
    return switch (promise.status) {
      case "401" -> gated.send(request(gated, promise, body(promise, "200")));
      case "403" -> // a web page of another origin
          http.send(
              request(http, promise, body(promise, "200"))
                  .setHeader("Sec-Fetch-Site", "cross-site"));
      case "503" -> storeless.send(request(storeless, promise, body(promise, "503")));
      case "413" -> http.send(request(http, promise, " ".repeat((1 << 20) + 1)));
      case "415" ->
          http.send(
              request(http, promise, body(promise, "200")).setHeader("Content-Type", "text/plain"));
      default -> http.send(request(http, promise, body(promise, promise.example)));
    };
  }

  private static HttpRequest.Builder request(RunningHttp to, Promise promise, String body) {
    String path = promise.path;
    StringBuilder query = new StringBuilder();
    for (JsonNode parameter : promise.operation.path("parameters")) {
      JsonNode examples = parameter.path("examples");
      JsonNode example = examples.path(examples.has(promise.example) ? promise.example : "200");
      String name = parameter.path("name").asText();
      String value =
          URLEncoder.encode(example.path("value").asText(), StandardCharsets.UTF_8)
              .replace("+", "%20");
      if (parameter.path("in").asText().equals("path")) {
        path = path.replace("{" + name + "}", value);
      } else if (!example.isMissingNode()) {
        query.append(query.isEmpty() ? "?" : "&").append(name).append('=').append(value);
      }
    }
    HttpRequest.Builder request = to.request(path + query);
    return promise.method.equals("POST")
        ? request.setHeader("Content-Type", "application/json").POST(BodyPublishers.ofString(body))
        : request;
  }

  private static String body(Promise promise, String example) {
    return examples(promise.operation).path(example).path("value").toString();
  }

  @Test
  void every_route_is_in_the_document_and_nothing_else_is() {
    Set<String> documented = new TreeSet<>();
    document
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        operation ->
                            documented.add(
                                operation.getKey().toUpperCase(Locale.ROOT)
                                    + " "
                                    + path.getKey())));

    Set<String> routes =
        Arrays.stream(Route.values())
            .map(route -> route.method() + " " + route.path())
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(documented).isEqualTo(routes);
  }

  @Test
  void the_document_is_served_as_it_is_in_the_jar() {
    HttpResponse<String> response = http.get("/openapi.json");

    assertThat(response.body()).isEqualTo(resource());
    assertThat(document.path("openapi").asText()).isEqualTo("3.1.0");
  }

  @Test
  void examples_of_right_requests_and_of_responses_are_as_their_schemas_say() {
    List<String> mistakes = new ArrayList<>();
    for (JsonNode path : document.path("paths")) {
      for (JsonNode operation : path) {
        JsonNode sent = operation.path("requestBody").path("content").path("application/json");
        examples(operation)
            .properties()
            .forEach(
                example -> {
                  if (example.getKey().startsWith("200") && !hasWrongCheck(example.getValue())) {
                    mistakes.addAll(
                        mistakes(sent.path("schema"), example.getValue().path("value")));
                  }
                });
        for (JsonNode response : operation.path("responses")) {
          for (JsonNode content : resolved(response).path("content")) {
            if (content.has("example")) {
              mistakes.addAll(mistakes(content.path("schema"), content.path("example")));
            }
          }
        }
      }
    }

    assertThat(mistakes).isEmpty();
  }

  /** A batch is right as a whole even if a check in it is not. */
  private static boolean hasWrongCheck(JsonNode example) {
    return example.path("value").has("checks");
  }

  @Test
  void every_reference_leads_somewhere() {
    assertThat(document.findValuesAsText("$ref"))
        .isNotEmpty()
        .allSatisfy(
            reference ->
                assertThat(document.at(reference.substring(1)).isMissingNode())
                    .as(reference)
                    .isFalse());
  }

  private static JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
  }

  private static List<String> mistakes(JsonNode schema, JsonNode value) {
    ObjectNode whole = schema.deepCopy();
    whole.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    whole.set("components", document.path("components")); // where its references lead
    return JsonSchemaFactory.getInstance(VersionFlag.V202012)
        .getSchema(whole)
        .validate(value)
        .stream()
        .map(ValidationMessage::getMessage)
        .map(message -> message + " in " + value)
        .toList();
  }

  private static String resource() {
    try (InputStream in = Route.class.getResourceAsStream("openapi.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
