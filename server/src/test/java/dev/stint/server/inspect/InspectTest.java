package dev.stint.server.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.sun.net.httpserver.HttpServer;
import dev.stint.Limit;
import dev.stint.algorithm.Operation;
import dev.stint.http.HeaderFormat;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.config.Secret;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Stores;
import dev.stint.server.serve.Service;
import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Terminal;
import dev.stint.testkit.ManualTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(60)
class InspectTest {

  private static final String TOKEN = "an admin's secret";
  private static final Listener ANY = Listener.on("127.0.0.1", 0);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Service service =
      Service.start(
          Configuration.standard()
              .withListeners(new Listeners(ANY, ANY, ANY, ANY.token(Secret.of(TOKEN))))
              .withPolicies(
                  Map.of(
                      "login", PolicySettings.of(Limit.parseAll("2/minute")),
                      "tried", watching("1/hour"))),
          Stores.inMemory(ManualTime.create()));

  private static PolicySettings watching(String limits) {
    return new PolicySettings(
        Limit.parseAll(limits),
        false,
        true,
        OnStoreError.LOCAL,
        HeaderFormat.IETF,
        List.of(),
        Optional.empty());
  }

  @AfterEach
  void close() {
    service.close();
  }

  private void hit(String key, int times) {
    hit("login", key, times);
  }

  private void hit(String policy, String key, int times) {
    Engine engine = service.engine();
    for (int i = 0; i < times; i++) {
      engine.ask(
          Operation.HIT,
          Objects.requireNonNull(engine.policies().find(policy)),
          key.getBytes(StandardCharsets.UTF_8),
          1);
    }
  }

  private int run(Object command, String... arguments) {
    return new CommandLine(command)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private String url() {
    return "http://127.0.0.1:" + service.adminPort();
  }

  private int explain(String... arguments) {
    Clock clock = Clock.fixed(Instant.parse("2024-01-01T14:02:37Z"), ZoneOffset.UTC);
    return run(new Explain(Map.of("STINT_ADMIN_TOKEN", TOKEN), clock), arguments);
  }

  private int top(String... arguments) {
    return run(
        new Top(Terminal.plain(), Interruption.none(), Map.of("STINT_ADMIN_TOKEN", TOKEN)),
        arguments);
  }

  private static void assertValid(String schema, String json) throws Exception {
    String text = Files.readString(Path.of("..", "docs", "schemas", schema));
    assertThat(
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(text)
                .validate(json, InputFormat.JSON))
        .isEmpty();
  }

  @Test
  void explains_a_refusal_with_the_moment_of_its_end() {
    hit("alice", 2);
    assertThat(explain("login", "alice", "--admin", url())).isZero();
    assertThat(out.toString())
        .isEqualTo(
            """
            login for alice: refused
              free   in 30.0 s, at 14:03:07 UTC
              rule   the usual limits of the policy
              limit  2/minute: 2 of 2 used, 0 left, free in 30.0 s, at 14:03:07 UTC
              why    Refused: 2 of 2 are used under 2/minute; 1 more will fit in 30.0 s.
            """);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void json_is_that_of_the_schema() throws Exception {
    hit("alice", 3);
    assertThat(explain("login", "alice", "--json", "--admin", url())).isZero();
    assertValid("explain.json", out.toString());
    out.getBuffer().setLength(0);
    assertThat(top("--json", "--admin", url())).isZero();
    assertValid("top.json", out.toString());
    assertThat(out.toString()).contains("\"count\":3");
  }

  @Test
  void top_shows_the_busiest_and_the_most_refused_and_no_commands_to_the_terminal() {
    hit("alice", 5);
    hit("evil\u001b[2J", 1);
    assertThat(top("--once", "--admin", url())).isZero();
    assertThat(out.toString())
        .contains("busiest keys", "most refused keys", "evil\\u001b[2J")
        .doesNotContain("\u001b");
  }

  @Test
  void top_has_headings_and_columns_and_says_who_only_would_be_refused() {
    hit("alice", 6);
    hit("tried", "bob", 4);
    assertThat(top("--once", "--admin", url())).isZero();
    assertThat(out.toString())
        .endsWith(
            """

            busiest keys of the last minutes
              requests  policy  key
                     6  login   alice
                     4  tried   bob

            most refused keys of the last minutes
               refused  policy  key
                     4  login   alice
                     3  tried   bob (would be refused)
            """);
  }

  @Test
  void the_keys_of_a_policy_in_shadow_mode_are_marked_in_json() throws Exception {
    hit("alice", 4);
    hit("tried", "bob", 4);
    assertThat(top("--json", "--admin", url())).isZero();
    assertValid("top.json", out.toString());
    assertThat(out.toString())
        .contains(
            "{\"policy\":\"tried\",\"key\":\"bob\",\"hashed\":false,\"shadow\":true,\"count\":3",
            "{\"policy\":\"login\",\"key\":\"alice\",\"hashed\":false,\"count\":2");
  }

  @Test
  void a_long_wait_is_told_in_minutes_and_hours() {
    hit("tried", "bob", 1);
    assertThat(explain("tried", "bob", "--admin", url())).isZero();
    assertThat(out.toString())
        .contains(
            "  free   in 1 h, at 15:02:37 UTC\n",
            "1 of 1 are used under 1/hour; 1 more will fit in 1 h.");
  }

  @Test
  void a_service_that_is_not_there_is_said() {
    assertThat(explain("login", "alice", "--admin", "http://127.0.0.1:1")).isEqualTo(1);
    assertThat(top("--admin", "http://127.0.0.1:1")).isEqualTo(1);
    assertThat(err.toString().lines())
        .containsExactly(
            "stint explain: no service answers at http://127.0.0.1:1; start one with 'stint"
                + " serve', or say with --admin where its admin port is",
            "stint top: no service answers at http://127.0.0.1:1; start one with 'stint serve', or"
                + " say with --admin where its admin port is");
  }

  @Test
  void the_admin_port_may_be_a_port_a_host_and_port_or_a_url() {
    int port = service.adminPort();
    for (String admin :
        List.of("" + port, "127.0.0.1:" + port, "localhost:" + port, url(), url() + "/")) {
      assertThat(explain("login", "alice", "--admin", admin)).as(admin).isZero();
    }
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void an_admin_port_that_is_none_is_shown_unless_it_may_have_a_token_in_it() {
    String must = "--admin must be a port, HOST:PORT or a URL such as http://127.0.0.1:9090, ";
    for (String admin : List.of("ftp://x", "localhost", "99999", "a b:1", "0")) {
      err.getBuffer().setLength(0);
      assertThat(explain("login", "alice", "--admin", admin)).isEqualTo(2);
      assertThat(err.toString()).startsWith(must + "was '" + admin + "'\n");
    }
    err.getBuffer().setLength(0);
    assertThat(explain("login", "alice", "--admin", "http://me:secret@x:1")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(must + "without a user or a query; a token goes into --token-file\n")
        .doesNotContain("secret");
  }

  @Test
  void an_unknown_policy_is_told_with_the_nearest() {
    assertThat(explain("logn", "alice", "--admin", url())).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo("stint explain: unknown policy 'logn'; did you mean 'login'?\n");
  }

  @Test
  void a_token_is_asked_for_and_may_be_in_a_file(@TempDir Path folder) throws Exception {
    Map<String, String> nothing = Map.of();
    assertThat(run(new Explain(nothing), "login", "alice", "--admin", url())).isEqualTo(1);
    assertThat(err.toString()).contains("wants a token").doesNotContain(TOKEN);
    Path file = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    assertThat(
            run(
                new Explain(nothing),
                "login",
                "alice",
                "--admin",
                url(),
                "--token-file",
                file.toString()))
        .isZero();
  }

  @Test
  void called_wrongly_it_says_how() {
    for (List<String> wrong :
        List.of(
            List.of("login"),
            List.of("login", "alice", "--cost", "0"),
            List.of("login", "alice", "--admin", "ftp://x"),
            List.of("login", "alice", "--domain", "web"),
            List.of("login", "alice", "--token-file", "/no/such/file"))) {
      assertThat(explain(wrong.toArray(String[]::new))).as("%s", wrong).isEqualTo(2);
    }
    assertThat(top("--interval", "soon")).isEqualTo(2);
  }

  @Test
  void help_starts_with_an_example() {
    assertThat(explain("--help")).isZero();
    assertThat(top("--help")).isZero();
    assertThat(out.toString()).startsWith("Example: stint explain login alice\n");
  }

  /** Another server, which answers everything with the same. */
  private void withOther(String type, String body, ThrowingConsumer<String> test) throws Exception {
    HttpServer other =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    other.createContext(
        "/",
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", type);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    other.start();
    try {
      test.accept("http://127.0.0.1:" + other.getAddress().getPort());
    } finally {
      other.stop(0);
    }
  }

  @Test
  void what_is_no_service_is_not_taken_for_one() throws Exception {
    for (String body : List.of("<html>hello</html>", "{\"hello\":1}", "[]", "")) {
      withOther(
          "text/html",
          body,
          url -> {
            out.getBuffer().setLength(0);
            err.getBuffer().setLength(0);
            assertThat(explain("login", "alice", "--json", "--admin", url)).isEqualTo(1);
            assertThat(explain("login", "alice", "--admin", url)).isEqualTo(1);
            assertThat(top("--json", "--admin", url)).isEqualTo(1);
            assertThat(out.toString()).as(body).isEmpty();
            assertThat(err.toString().lines()).as(body).hasSize(3).allMatch(is -> is.contains(url));
          });
    }
  }

  @Test
  void events_of_another_kind_end_with_a_sentence() throws Exception {
    for (String events : List.of("event: snapshot\n\n", "event: snapshot\ndata: x\n\n")) {
      withOther(
          "text/event-stream",
          events,
          url -> {
            err.getBuffer().setLength(0);
            assertThat(top("--json", "--admin", url)).isEqualTo(1);
            assertThat(err.toString().lines()).hasSize(1).allMatch(is -> is.contains(url));
          });
    }
  }
}
