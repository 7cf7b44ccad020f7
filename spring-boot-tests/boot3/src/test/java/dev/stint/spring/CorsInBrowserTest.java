package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page of another origin, in a real browser, sees that it was refused and for how long. */
class CorsInBrowserTest {

  private static final String PAGE =
      """
      <pre id="seen"></pre>
      <script>
        async function ask() {
          for (let i = 0; i < 3; i++) {
            const line = await fetch('%s', {headers: {'X-Page': '1'}})
              .then(r => r.status + ' ' + r.headers.get('Retry-After'), e => 'hidden');
            document.getElementById('seen').textContent += line + ';';
          }
        }
        ask();
      </script>
      """;

  @TempDir private Path profile;

  private static boolean isInstalled() {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      if (new File(folder, "chromium").canExecute()) {
        return true;
      }
    }
    return false;
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_page_can_read_a_refusal(String kind) throws Exception {
    boolean required = "required".equals(System.getenv("STINT_BROWSER"));
    assumeTrue(required || isInstalled(), "chromium must be on the PATH");
    try (RunningApp app =
        RunningApp.of(kind, OpenApp.class, "stint.rules.api.limit=2/hour fixed-window-per-key")) {
      HttpServer pages =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      byte[] page = PAGE.formatted(app.uri("/public")).getBytes(StandardCharsets.UTF_8);
      pages.createContext(
          "/page",
          exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
          });
      pages.start();
      try {
        String seen = dump("http://127.0.0.1:" + pages.getAddress().getPort() + "/page");
        assertThat(seen).containsPattern("200 null;200 null;429 3[56][0-9]{2};");
      } finally {
        pages.stop(0);
      }
    }
  }

  /** The page after its script has run. */
  private String dump(String address) throws Exception {
    Process browser =
        new ProcessBuilder(
                List.of(
                    "chromium",
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--user-data-dir=" + profile.resolve("chromium"),
                    "--virtual-time-budget=20000",
                    "--dump-dom",
                    address))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      String page = new String(browser.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(browser.waitFor(30, TimeUnit.SECONDS)).isTrue();
      return page;
    } finally {
      browser.destroyForcibly();
    }
  }
}
