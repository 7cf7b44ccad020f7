package dev.stint.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies in other encodings than UTF-8, and other bytes that a JSON library may stumble over. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EncodingsTest {

  private static final List<String> PATHS =
      List.of(
          "/v1/hit",
          "/v1/peek",
          "/v1/inc",
          "/v1/refund",
          "/v1/set",
          "/v1/reset",
          "/v1/batch",
          "/json");

  private static final String LIBRARIES =
      "(?is).*(jackson|fasterxml|gson|vert\\.?x|netty|protobuf|protocolbuffer|java\\.|javax\\.|Exception"
          + "|JsonRe|JsonParser|StreamRead|Feature|dev\\.stint).*";

  private RunningHttp http = RunningHttp.start();

  @AfterAll
  void stop() {
    http.close();
  }

  static List<byte[]> strangeBodies() {
    List<byte[]> bodies = new ArrayList<>();
    for (String start :
        List.of(
            "0000fffe",
            "0000feff",
            "fffe0000",
            "feff0000",
            "fffe",
            "feff",
            "00",
            "0000",
            "000000",
            "00000000",
            "7b000000",
            "0000007b",
            "007b0000",
            "00007b00",
            "7b00",
            "007b",
            "ff",
            "fe",
            "efbb",
            "efbbbf00",
            "c0ae",
            "eda080",
            "f8888080")) {
      bodies.add(HexFormat.of().parseHex(start));
      bodies.add(HexFormat.of().parseHex(start + "7b7d00ff"));
    }
    String json = "{\"key\":\"a\"}";
    for (String charset : List.of("UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32BE", "UTF-32LE")) {
      bodies.add(json.getBytes(Charset.forName(charset)));
    }
    return bodies;
  }

  private void check(String path, byte[] body) {
    HttpResponse<String> response =
        http.send(
            http.request(path)
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body)));

    assertThat(response.statusCode()).as(path + HexFormat.of().formatHex(body)).isEqualTo(400);
    assertThat(RunningHttp.detail(response)).isNotBlank().doesNotMatch(LIBRARIES);
  }

  @ParameterizedTest
  @MethodSource
  void strangeBodies(byte[] body) {
    PATHS.forEach(path -> check(path, body));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{key:1}",
        "{'key':1}",
        "{\"key\":NaN}",
        "{\"key\":+1}",
        "{\"key\":01}",
        "{\"key\":1.}",
        "{\"key\":\"\\x\"}",
        "{\"key\":\"\n\"}",
        "{\"key\":\"a\"",
        "{\"key\":\"a",
        "{\"key\":tru}",
        "{\"key\":\"a\"}}",
        "{\"domain\":{}}",
        "{\"domain\":\"web\",\"descriptors\":7}",
        "{\"hitsAddend\":\"x\"}",
        "{\"hitsAddend\":-1}",
        "{\"hitsAddend\":1e99}",
        "{\"descriptors\":[null]}",
        "/* x */ {}",
        "# x",
        "{\"key\":\"a\",}",
        "[",
        "]",
        "\u0000",
        "\ufeff\ufeff{}"
      })
  void malformed(String body) {
    PATHS.forEach(path -> check(path, body.getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":"})
  void deep(String opening) {
    PATHS.forEach(path -> check(path, opening.repeat(5000).getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1001, 100_000})
  void long_numbers(int digits) {
    String number = "9".repeat(digits);
    PATHS.forEach(
        path -> {
          check(path, ("{\"cost\":" + number + "}").getBytes(StandardCharsets.UTF_8));
          check(path, ("{\"hitsAddend\":" + number + "}").getBytes(StandardCharsets.UTF_8));
          check(path, ("{\"" + number + "\":1}").getBytes(StandardCharsets.UTF_8));
        });
  }
}
