package dev.stint.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that were not written here. */
class RealClientsTest {

  private RunningHttp http;

  @BeforeEach
  void start() {
    http = RunningHttp.start();
  }

  @AfterEach
  void stop() {
    http.close();
  }

  @Test
  void curl_is_refused_the_sixth_time() throws Exception {
    String check = http.address() + "/check?userId=alice";
    for (int i = 0; i < 5; i++) {
      assertThat(run("curl", "-s", "-w", " %{http_code}", check)).endsWith(" 200");
    }

    String sixth = run("curl", "-si", check);

    assertThat(sixth)
        .startsWith("HTTP/1.1 429 Too Many Requests")
        .contains("Retry-After: 60")
        .endsWith("{\"allowed\":false,\"currentCount\":6,\"ttl\":60}");
  }

  @Test
  void curl_posts_json_as_the_welcome_says() throws Exception {
    String line =
        http.get("/")
            .body()
            .lines()
            .filter(one -> one.contains("/v1/hit"))
            .findFirst()
            .orElseThrow()
            .replace("localhost", "127.0.0.1");

    need("curl");
    assertThat(run("sh", "-c", line + " -s")).contains("\"allowed\":true", "\"used\":1");
  }

  @Test
  void curl_speaks_http_2_from_the_start() throws Exception {
    String answer =
        run(
            "curl",
            "-si",
            "--http2-prior-knowledge",
            "-H",
            "content-type: application/json",
            "-d",
            "{\"key\":\"alice\"}",
            http.address() + "/v1/hit");

    assertThat(answer).startsWith("HTTP/2 200").contains("\"used\":1");
  }

  @Test
  void curl_is_told_that_a_file_is_too_large(@TempDir Path folder) throws Exception {
    Path large = Files.write(folder.resolve("large"), new byte[3 << 20]);

    String answer =
        run(
            "curl",
            "-s",
            "-w",
            " %{http_code}",
            "-H",
            "content-type: application/json",
            "--data-binary",
            "@" + large,
            http.address() + "/v1/hit");

    assertThat(answer).endsWith(" 413");
  }

  @Test
  void wrk_gets_nothing_but_answers(@TempDir Path folder) throws Exception {
    Path script = folder.resolve("count.lua");
    Files.writeString(
        script,
        """
        local threads = {}
        function setup(thread) table.insert(threads, thread) end
        function init(args)
          good = 0
          bad = 0
          wrk.method = "POST"
          wrk.headers["content-type"] = "application/json"
          wrk.body = '{"limits":"1000/second","key":"alice"}'
        end
        function response(status, headers, body)
          if status == 200 or status == 429 then good = good + 1 else bad = bad + 1 end
        end
        function done(summary, latency, requests)
          local good, bad = 0, 0
          for _, thread in ipairs(threads) do
            good = good + thread:get("good")
            bad = bad + thread:get("bad")
          end
          local e = summary.errors
          print("good=" .. good .. " bad=" .. bad + e.connect + e.read + e.write + e.timeout)
        end
        """);

    String told =
        run("wrk", "-t1", "-c8", "-d2s", "-s", script.toString(), http.address() + "/v1/hit");

    assertThat(told).containsPattern(Pattern.compile("good=[1-9][0-9]* bad=0"));
  }

  private static void need(String program) {
    boolean found =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    assumeTrue(found, program + " is not installed, so nothing is known about it; install it");
  }

  private static String run(String... command) throws IOException, InterruptedException {
    need(command[0]);
    List<String> line = new ArrayList<>(List.of(command));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    try {
      String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      return told;
    } finally {
      process.destroyForcibly();
    }
  }
}
