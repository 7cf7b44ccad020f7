package dev.stint.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.engine.Stores;
import dev.stint.server.serve.Service;
import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Terminal;
import dev.stint.testkit.ManualTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What commands print with {@code --json} is as its schema in {@code docs/schemas} says. */
class SchemasTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path SCHEMAS = Path.of("..", "docs", "schemas");
  private static final String LOG = Path.of("..", "docs", "examples", "access.log").toString();

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private JsonNode printed(int code, String... args) throws IOException {
    int actual =
        Main.run(
            Terminal.plain(),
            Interruption.none(),
            new PrintWriter(out),
            new PrintWriter(err),
            args);
    assertThat(actual).as(err.toString()).isEqualTo(code);
    return JSON.readTree(out.toString());
  }

  private static List<String> mistakes(String schema, JsonNode value) throws IOException {
    return JsonSchemaFactory.getInstance(VersionFlag.V202012)
        .getSchema(Files.readString(SCHEMAS.resolve(schema)))
        .validate(value)
        .stream()
        .map(ValidationMessage::getMessage)
        .toList();
  }

  static Stream<List<String>> finders() {
    return Stream.of(
        List.of("simulate", "--limit", "5/min", "--traffic", "attacker:window", "--json"),
        List.of("simulate", "--limit", "50/min", "--traffic", "humans:20", "--json"),
        List.of("replay", LOG, "--limit", "10/min", "--algorithm", "all", "--json"),
        List.of("recommend", LOG, "--share", "95", "--json"),
        List.of("recommend", LOG, "--json"));
  }

  @ParameterizedTest
  @MethodSource("finders")
  void findings_are_as_their_schema_says(List<String> args) throws IOException {
    JsonNode found = printed(0, args.toArray(String[]::new));
    assertThat(mistakes("findings.json", found)).isEmpty();
    assertThat(found.path("command").asText()).isEqualTo(args.get(0));
  }

  @Test
  void checks_are_as_their_schema_says() throws IOException {
    Path good = Files.writeString(folder.resolve("good.yaml"), "policies: {a: 5/minute}");
    Path bad = Files.writeString(folder.resolve("bad.yaml"), "policies: {a: 5/minit}\nstor: x");
    Path missing = folder.resolve("missing.yaml");
    JsonNode found =
        printed(1, "check", "--json", good.toString(), bad.toString(), missing.toString());
    assertThat(mistakes("check.json", found)).isEmpty();
    assertThat(found.at("/files/0"))
        .isEqualTo(
            JSON.readTree(
                "{\"file\":\"%s\",\"ok\":true,\"mistakes\":[],\"policies\":1,\"domains\":0}"
                    .formatted(good)));
    assertThat(found.at("/files/1/mistakes/0"))
        .isEqualTo(
            JSON.readTree(
                """
                {"file":"%s","line":1,"column":17,
                 "text":"unknown unit 'minit'; did you mean 'minute'?"}
                """
                    .formatted(bad)));
    assertThat(found.at("/files/1/mistakes")).hasSize(2);
    assertThat(found.at("/files/2/mistakes/0/line").asInt()).isZero();
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void what_a_service_says_is_as_its_schemas_say() throws IOException {
    Listener free = Listener.on("127.0.0.1", 0);
    Configuration configuration =
        Configuration.standard().withListeners(new Listeners(free, free, free, free));
    try (Service service = Service.start(configuration, Stores.inMemory(ManualTime.create()))) {
      String admin = "http://127.0.0.1:" + service.adminPort();
      JsonNode explained = printed(0, "explain", "default", "alice", "--admin", admin, "--json");
      assertThat(mistakes("explain.json", explained)).isEmpty();
      ((ObjectNode) explained).remove("why");
      assertThat(mistakes("explain.json", explained)).isNotEmpty();

      out.getBuffer().setLength(0);
      JsonNode top = printed(0, "top", "--admin", admin, "--once", "--json");
      assertThat(mistakes("top.json", top)).isEmpty();
      ((ObjectNode) top).remove("used");
      assertThat(mistakes("top.json", top)).isNotEmpty();
    }
  }

  /** So that the tests above can fail. */
  @Test
  void whatever_is_missing_or_too_much_would_be_noticed() throws IOException {
    JsonNode whole = printed(0, "recommend", LOG, "--share", "95", "--json");
    List<ObjectNode> objects = new ArrayList<>();
    for (String path :
        List.of(
            "",
            "/source",
            "/axis",
            "/lanes/0",
            "/lanes/0/offenders/0",
            "/distributions/0",
            "/proposals/0")) {
      objects.add((ObjectNode) whole.at(path));
    }
    for (ObjectNode object : objects) {
      List<String> names = new ArrayList<>();
      object.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        JsonNode value = object.remove(name);
        assertThat(mistakes("findings.json", whole)).as("without " + name).isNotEmpty();
        object.set(name, value);
        object.put("unheard-of", 1);
        assertThat(mistakes("findings.json", whole)).isNotEmpty();
        object.remove("unheard-of");
      }
    }
    assertThat(mistakes("findings.json", whole)).isEmpty();
  }

  @Test
  void every_field_of_every_schema_is_described() throws IOException {
    List<String> silent = new ArrayList<>();
    try (Stream<Path> files = Files.list(SCHEMAS)) {
      for (Path file : files.sorted().toList()) {
        JsonNode schema = JSON.readTree(file.toFile());
        assertThat(schema.path("$schema").asText()).endsWith("/draft/2020-12/schema");
        collectSilent(schema, schema, file.getFileName().toString(), silent);
      }
    }
    assertThat(silent).isEmpty();
  }

  private static void collectSilent(JsonNode root, JsonNode node, String where, List<String> into) {
    if (node.path("type").asText().equals("object")) {
      assertThat(node.path("additionalProperties").asBoolean(true)).as(where).isFalse();
      for (Map.Entry<String, JsonNode> field : node.path("properties").properties()) {
        JsonNode told = field.getValue();
        JsonNode target =
            told.has("$ref") ? root.at(told.path("$ref").asText().substring(1)) : told;
        if (!told.has("description") && !target.has("description")) {
          into.add(where + " " + field.getKey());
        }
      }
    }
    node.properties().forEach(child -> collectSilent(root, child.getValue(), where, into));
    if (node.isArray()) {
      node.forEach(child -> collectSilent(root, child, where, into));
    }
  }
}
