package dev.stint.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way to write a wrong file that we know of, with the whole sentence it gets. */
class MistakesTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("SHORT", "secret");

  @TempDir private Path directory;

  private record Case(String yaml, String sentence) {}

  static Stream<Case> cases() throws IOException {
    return blocks("mistakes.txt");
  }

  /** Blocks of a file and the sentences it gets, parted by lines of dashes. */
  static Stream<Case> blocks(String name) throws IOException {
    String all =
        new String(
            MistakesTest.class.getResourceAsStream(name).readAllBytes(), StandardCharsets.UTF_8);
    return Stream.of(all.split("\n={8,}\n"))
        .map(block -> block.split("\n-{8,}\n"))
        .map(parts -> new Case(parts[0], parts[1].strip()));
  }

  private List<String> mistakes(byte[] bytes) throws IOException {
    Path file = directory.resolve("stint.yaml");
    Files.write(file, bytes);
    return told(file);
  }

  private List<String> told(Path path) {
    return ConfigFile.read(path, ENVIRONMENT).mistakes().stream()
        .map(mistake -> mistake.toString().replace(directory + "/", ""))
        .toList();
  }

  private List<String> mistakes(String yaml) throws IOException {
    return mistakes(yaml.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void is_told_with_its_place_and_cure(Case one) throws IOException {
    Files.writeString(directory.resolve("empty.pem"), "nothing");
    Files.writeString(directory.resolve("b.yaml"), "domain: a");
    assertThat(String.join("\n", mistakes(one.yaml))).isEqualTo(one.sentence);
  }

  @Test
  void bytes_that_are_not_utf8_are_refused() throws IOException {
    assertThat(mistakes(new byte[] {'a', '\n', 'b', (byte) 0xff}))
        .containsExactly(
            "stint.yaml:2:2: must be UTF-8, and this byte is not; save the file as UTF-8");
  }

  @Test
  void characters_that_cannot_be_seen_are_refused() throws IOException {
    assertThat(mistakes("store:\n  \u0001"))
        .containsExactly("stint.yaml:2:3: the character U+0001 must not stand in YAML; remove it");
  }

  @Test
  void a_large_file_is_refused() throws IOException {
    assertThat(mistakes("#".repeat((1 << 20) + 1)))
        .containsExactly(
            "stint.yaml: must be at most 1 MiB, was larger; split it into several files");
  }

  @Test
  void deep_nests_are_refused() throws IOException {
    String sentence = "maps and lists must be at most 100 deep, and these are deeper";
    assertThat(mistakes("a: " + "[".repeat(500_000)))
        .containsExactly("stint.yaml:1:103: " + sentence);
    assertThat(mistakes("a: " + "{a: ".repeat(200_000)))
        .containsExactly("stint.yaml:1:400: " + sentence);
    assertThat(mistakes("- ".repeat(500_000))).containsExactly("stint.yaml:1:201: " + sentence);
  }

  @Test
  void an_alias_bomb_is_refused() throws IOException {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x]\n");
    for (int i = 1; i < 30; i++) {
      bomb.append("a" + i + ": &a" + i + " [*a" + (i - 1) + ", *a" + (i - 1) + "]\n");
    }
    assertThat(mistakes(bomb.toString()))
        .containsExactly(
            "stint.yaml:1:5: anchors and aliases ('&' and '*') must not stand here; write it out");
  }

  @Test
  void mistakes_without_end_are_told_in_part() throws IOException {
    StringBuilder wrong = new StringBuilder("policies:\n");
    for (int i = 0; i < 1000; i++) {
      wrong.append("  p" + i + ": 5/minit\n");
    }
    assertThat(mistakes(wrong.toString()))
        .hasSize(101)
        .endsWith("stint.yaml: and 900 more mistakes; mend these first");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://host:99999", "http://host?a=b", "http://host#a"})
  void a_collector_that_could_not_be_asked_is_refused(String address) throws IOException {
    assertThat(mistakes("telemetry: {traces: '" + address + "'}"))
        .containsExactly(
            "stint.yaml:1:21: traces must be an address such as http://localhost:4318, and this one"
                + " is not");
  }

  @Test
  void a_file_that_is_not_there_is_told() {
    assertThat(told(directory.resolve("nowhere.yaml")))
        .containsExactly("nowhere.yaml: must be there, and is not; check the path");
  }

  @Test
  void a_directory_without_files_is_told() {
    assertThat(ConfigFile.read(directory, Map.of()).mistakes())
        .extracting(Mistake::sentence)
        .containsExactly("'" + directory + "' must have 1 to 1000 files *.yaml or *.yml, had 0");
  }

  @Test
  void a_file_that_may_not_be_read_is_told() throws IOException {
    Path file = directory.resolve("stint.yaml");
    Files.writeString(file, "");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    Assumptions.assumeFalse(Files.isReadable(file), "root reads everything");
    assertThat(told(file))
        .containsExactly(
            "stint.yaml: must be readable for the user who runs this; change its mode");
  }

  @Test
  void no_secret_is_ever_shown() throws IOException {
    for (String yaml :
        List.of(
            "clients: hunter2hunter2hunter2",
            "clients: {a: hunter2hunter2hunter2}",
            "clients: {a: {token: [hunter2hunter2]}}",
            "clients: {a: {token: hunter2}}",
            "clients: {a: {token: 'hunter2 hunter2 hunter2'}}",
            "clients: {a: {token: hunter2hunter2hunter2}, b: {token: hunter2hunter2hunter2}}",
            "store: redis://:hunter2@",
            "store: redis://:hunter2/3@host:x",
            "store: rediss//:hunter2@host",
            "store: hunter2:6379",
            "telemetry: {traces: 'ftp://a:hunter2@host'}",
            "telemetry: {traces: 'http://a:hunter2@ho st'}",
            "listeners: {admin: {token: hunter2}}",
            "listeners: {http: {token: hunter2hunter2hunter2}}")) {
      assertThat(mistakes(yaml)).as(yaml).isNotEmpty().noneMatch(told -> told.contains("hunter2"));
    }
  }
}
