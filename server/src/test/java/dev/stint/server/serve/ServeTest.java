package dev.stint.server.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ServeTest {

  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Only for calls that do not start: a service would not return. */
  private int serve(Map<String, String> environment, String... args) {
    return new CommandLine(new Serve(environment, directory))
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setParameterExceptionHandler(
            (mistake, ignored) -> {
              err.append(mistake.getMessage());
              return 2;
            })
        .execute(args);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--http | 80x | --http must be a port from 0 to 65535, address:port or 'off': '80x'",
        "--grpc | no | --grpc must be a port from 0 to 65535, address:port or 'off': 'no'; did you"
            + " mean 'off'?",
        "--resp | a b:1 | --resp must have an address such as 127.0.0.1, [::1] or localhost: 'a b'",
        "--admin | 0.0.0.0:9 | admin must listen on this machine only, was '0.0.0.0'; use"
            + " 127.0.0.1, or give it a token-env, token-file or tls with client-ca",
        "--http | 8081 | http and grpc must have different ports, both have 8081; change one",
        "--store | redis:// | --store must be an address such as redis://host:6379, and this one"
            + " cannot be read",
        "--logs | xml | --logs must be one of plain, json: 'xml'"
      })
  void a_wrong_value_is_told_with_its_flag(String flag, String value, String sentence) {
    assertThat(serve(Map.of(), flag, value)).isEqualTo(2);
    assertThat(err.toString()).isEqualTo(sentence);
  }

  @Test
  void a_wrong_value_is_told_with_its_variable() {
    assertThat(serve(Map.of("STINT_HTTP", "x"))).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo("STINT_HTTP must be a port from 0 to 65535, address:port or 'off': 'x'");
  }

  @Test
  void a_path_that_cannot_be_is_told() {
    assertThat(serve(Map.of(), "--config", "a\0b")).isEqualTo(2);
    assertThat(err.toString()).startsWith("--config must be the path of a file: ");
  }

  @Test
  void a_wrong_file_is_told_and_nothing_is_started() throws IOException {
    Path file = Files.writeString(directory.resolve("stint.yaml"), "policies: {a: 5/minit}");
    String told = file + ":1:17: unknown unit 'minit'; did you mean 'minute'?\n";
    assertThat(serve(Map.of())).isEqualTo(1); // the file of this directory is used unasked
    assertThat(serve(Map.of("STINT_CONFIG", file.toString()))).isEqualTo(1);
    assertThat(serve(Map.of(), "--config", directory.toString())).isEqualTo(1);
    assertThat(err.toString()).isEqualTo(told + told + told);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  @Timeout(60)
  void it_says_where_it_listens_and_ends_well_when_told_to() throws Exception {
    Files.writeString(
        directory.resolve("stint.yaml"),
        "listeners: {http: 0, grpc: 0, admin: 0}\npolicies: {api: {limits: 5/minute, mode: shadow}}\n");
    Process process = start(Map.of("STINT_RESP", "off", "STINT_HTTP", "off"), "--http", "0");
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = reader.readLine();
      while (line != null && !line.equals("ready")) {
        lines.add(line);
        line = reader.readLine();
      }
      assertThat(line).as(lines.toString()).isEqualTo("ready");
      assertThat(lines.get(0)).isEqualTo("configuration  stint.yaml, found here");
      assertThat(lines.get(1)).matches("http +\\d+");
      assertThat(lines.get(2)).matches("grpc +\\d+");
      assertThat(lines.get(3)).matches("resp +off");
      assertThat(lines.get(4)).matches("admin +127\\.0\\.0\\.1:\\d+");
      assertThat(lines.get(5))
          .isEqualTo("dashboard      http://" + lines.get(4).replaceFirst("admin +", ""));
      assertThat(lines.get(6)).isEqualTo("store          memory");
      assertThat(lines.get(7)).isEqualTo("policy         api: 5/minute (shadow)");
    } finally {
      process.destroy();
    }
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    String log = Files.readString(directory.resolve("log"));
    assertThat(process.exitValue()).as(log).isZero();
    assertThat(log).contains(": stopping: ", ": stopped");
  }

  @Test
  @Timeout(60)
  void a_file_that_is_written_later_is_found() throws Exception {
    Process process =
        start(Map.of("STINT_RESP", "off"), "--http", "0", "--grpc", "0", "--admin", "0");
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      String line = reader.readLine();
      assertThat(line).isEqualTo("configuration  standard; --config FILE for another");
      while (line != null && !line.equals("ready")) {
        line = reader.readLine();
      }
      Files.writeString(directory.resolve("stint.yaml"), "policies: {a: 1/minute, b: 2/minute}");
      await()
          .untilAsserted(
              () ->
                  assertThat(Files.readString(directory.resolve("log")))
                      .contains(
                          "configuration reloaded; policies: 2, domains: 0; policies added: a, b;"
                              + " removed: default"));
    } finally {
      process.destroy();
    }
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
  }

  private Process start(Map<String, String> environment, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    String paths =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            paths,
            "dev.stint.server.Main",
            "serve"));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.redirectError(directory.resolve("log").toFile());
    builder.environment().putAll(environment);
    return builder.start();
  }
}
