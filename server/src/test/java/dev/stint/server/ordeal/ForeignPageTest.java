package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.stint.lab.Chromium;
import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.serve.Service;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * In a real browser, a page of another origin on this machine can neither charge a key nor change
 * its count, whatever it sends.
 *
 * <p>That its requests are sent at all is shown by a server that records them: it stands for a
 * service that would take everything.
 */
class ForeignPageTest {

  private static final long BEFORE = 7;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** The keys of {@code foreign-page.html}; forms put a sign into theirs. */
  private static final List<String> KEYS =
      List.of(
          "k-hit",
          "k-inc",
          "k-refund",
          "k-reset",
          "k-set",
          "k-batch",
          "k-json",
          "k-check",
          "k-hit=x",
          "k-inc=x",
          "k-refund=x",
          "k-reset=x",
          "k-set=x",
          "k-batch=x",
          "k-json=x");

  /**
   * What browsers send to another origin without asking it first, so that only we can refuse it.
   */
  private static final List<String> WAYS_TO_POST =
      List.of(
          "cors-text",
          "no-cors-text",
          "no-cors-said-json",
          "no-cors-json-blob",
          "no-cors-blob",
          "no-cors-bytes",
          "no-cors-keepalive",
          "no-cors-params",
          "no-cors-form-data",
          "xhr-untyped",
          "xhr-plain",
          "beacon-text",
          "beacon-untyped",
          "beacon-bytes",
          "form-plain",
          "form-encoded",
          "form-multipart",
          "ping");

  private static final List<String> WAYS_TO_GET =
      List.of(
          "img",
          "script",
          "module",
          "stylesheet",
          "prefetch",
          "iframe",
          "embed",
          "object",
          "video",
          "css",
          "fetch-cors",
          "fetch-no-cors",
          "xhr",
          "events",
          "websocket",
          "form");

  private static Chromium browser;
  private static Pages pages;

  @BeforeAll
  static void start() throws IOException {
    Optional<String> missing = Chromium.missing();
    Assumptions.assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    browser = Chromium.start(false);
    pages = new Pages();
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
      pages.close();
    }
  }

  private static Configuration configuration(Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve(ConfigFile.NAME),
            """
            policies: {default: 1000/day fixed-window}
            rls:
              domains:
                - domain: web
                  descriptors: [{key: user, rate_limit: {unit: day, requests_per_unit: 1000}}]
            bounds: {drain: 200ms}
            """);
    Listener any = Listener.on("127.0.0.1", 0);
    return ConfigFile.read(file, Map.of())
        .configuration()
        .withListeners(new Listeners(any, any, any, any));
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, localhost", // another port, which browsers call the same site
    "localhost, 127.0.0.1" // another host, which they call another site
  })
  void charges_and_changes_nothing(String from, String to, @TempDir Path directory)
      throws IOException {
    try (Service service = Service.start(configuration(directory));
        Http program = Http.connect(service.httpPort())) {
      for (String key : KEYS) {
        change(program, "set", key, BEFORE);
      }
      hitByEnvoy(program, "k-json");

      attack(
          from,
          "http://" + to + ":" + service.httpPort(),
          "http://" + to + ":" + service.respPort(),
          "http://" + to + ":" + service.grpcPort(),
          "http://" + to + ":" + service.adminPort());
      String told = follow(from, "http://" + to + ":" + service.httpPort());

      Map<String, Long> counts = new TreeMap<>();
      for (String key : KEYS) {
        counts.put(key, used(program, key));
      }
      assertThat(counts).allSatisfy((key, used) -> assertThat(used).as(key).isEqualTo(BEFORE));
      assertThat(hitByEnvoy(program, "k-json")).isEqualTo(998); // two, both ours
      assertThat(told).contains("a request must not come from a web page of another origin");
      aProgramMayDoAllOfIt(program);
    }
  }

  /** Goes from a page to the check by a link, and tells what is to be seen there. */
  private static String follow(String from, String to) {
    browser.open("http://" + from + ":" + pages.port() + "/");
    browser.run("location.href = arguments[0]", to + "/check?userId=k-check");
    browser.await(in -> in.getCurrentUrl().startsWith(to));
    return browser.driver().getPageSource();
  }

  /** So that the counts above would have shown it. */
  private static void aProgramMayDoAllOfIt(Http program) throws IOException {
    assertThat(program.get("/check?userId=k-check").status()).isEqualTo(200);
    assertThat(program.hit("default", "k-hit").status()).isEqualTo(200);
    change(program, "inc", "k-inc", 1);
    change(program, "refund", "k-refund", 1);
    change(program, "set", "k-set", 1);
    program.post("/v1/reset", "{\"key\":\"k-reset\"}");
    assertThat(used(program, "k-check")).isEqualTo(BEFORE + 1);
    assertThat(used(program, "k-hit")).isEqualTo(BEFORE + 1);
    assertThat(used(program, "k-inc")).isEqualTo(BEFORE + 1);
    assertThat(used(program, "k-refund")).isEqualTo(BEFORE - 1);
    assertThat(used(program, "k-set")).isEqualTo(1);
    assertThat(used(program, "k-reset")).isZero();
  }

  @Test
  void really_sends_all_that_is_refused() throws IOException {
    try (Recorder recorder = new Recorder()) {
      String to = "http://127.0.0.1:" + recorder.port();
      attack("localhost", to, to, to, to);

      for (String path : List.of("hit", "inc", "refund", "reset", "set", "batch")) {
        assertThat(recorder.ways("v1-" + path)).containsAll(WAYS_TO_POST);
      }
      assertThat(recorder.ways("json")).containsAll(WAYS_TO_POST);
      assertThat(recorder.ways("check")).containsAll(WAYS_TO_GET);
      assertThat(recorder.ways("resp")).contains("text", "bytes", "get", "form");
      assertThat(recorder.ways("grpc")).contains("text", "bytes", "get", "form");
      assertThat(recorder.ways("admin")).contains("text", "form");
      assertThat(recorder.marks)
          .contains("Sec-Fetch-Site cross-site", "Origin null")
          .doesNotContain("Sec-Fetch-Site none");
      assertThat(recorder.bodies).contains("{\"key\":\"k-reset\"}", "{\"key\":\"k-reset=x\"}\r\n");
    }
  }

  private static void attack(String from, String http, String resp, String grpc, String admin) {
    browser.open(
        "http://%s:%d/?frame&http=%s&resp=%s&grpc=%s&admin=%s"
            .formatted(from, pages.port(), http, resp, grpc, admin));
    new WebDriverWait(browser.driver(), PATIENCE)
        .until(page -> Boolean.TRUE.equals(browser.run("return self.attacked === true")));
  }

  private static void change(Http program, String operation, String key, long n)
      throws IOException {
    String body = "{\"key\":\"" + key + "\",\"n\":" + n + "}";
    assertThat(program.post("/v1/" + operation, body).status()).isEqualTo(200);
  }

  private static final Pattern USED = Pattern.compile("\"used\":(\\d+)");
  private static final Pattern REMAINING = Pattern.compile("\"limitRemaining\":(\\d+)");

  private static long used(Http program, String key) throws IOException {
    return number(USED, program.get("/v1/keys/default/" + key.replace("=", "%3D")).body());
  }

  private static long hitByEnvoy(Http program, String key) throws IOException {
    String body =
        "{\"domain\":\"web\",\"descriptors\":[{\"entries\":[{\"key\":\"user\",\"value\":\""
            + key
            + "\"}]}]}";
    return number(REMAINING, program.post("/json", body).body());
  }

  private static long number(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    assertThat(found.find()).as(text).isTrue();
    return Long.parseLong(found.group(1));
  }

  /** Serves the page, on a port of its own. */
  private static class Pages implements AutoCloseable {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    Pages() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(threads);
      server.createContext("/", this::answer);
      server.start();
    }

    int port() {
      return server.getAddress().getPort();
    }

    void answer(HttpExchange exchange) throws IOException {
      try (exchange;
          InputStream page = ForeignPageTest.class.getResourceAsStream("foreign-page.html")) {
        byte[] html = Objects.requireNonNull(page).readAllBytes();
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        boolean isPage = exchange.getRequestURI().getPath().equals("/");
        boolean attacks = isPage && exchange.getRequestURI().getQuery() != null;
        byte[] body = attacks ? html : new byte[0];
        exchange.sendResponseHeaders(isPage ? 200 : 404, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
      }
    }

    @Override
    public void close() {
      server.stop(0);
      threads.shutdownNow();
    }
  }

  /** Takes everything, and writes it down. */
  private static final class Recorder extends Pages {

    private final Map<String, Set<String>> ways = new LinkedHashMap<>();
    private final Set<String> marks = new ConcurrentSkipListSet<>();
    private final Set<String> bodies = new ConcurrentSkipListSet<>();

    Recorder() throws IOException {
      super();
    }

    @Override
    void answer(HttpExchange exchange) throws IOException {
      try (exchange) {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        int at = query.indexOf("v=");
        if (at >= 0 && !exchange.getRequestMethod().equals("OPTIONS")) {
          String[] way = query.substring(at + 2).split("\\.", 2);
          synchronized (ways) {
            ways.computeIfAbsent(way[0], any -> new ConcurrentSkipListSet<>()).add(way[1]);
          }
          bodies.add(body);
          for (String header : List.of("Sec-Fetch-Site", "Origin")) {
            marks.add(header + " " + exchange.getRequestHeaders().getFirst(header));
          }
        }
        exchange.sendResponseHeaders(204, -1);
      }
    }

    Set<String> ways(String path) {
      synchronized (ways) {
        return ways.getOrDefault(path, Set.of());
      }
    }
  }
}
