package dev.stint.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.server.config.RlsSettings.Node;
import dev.stint.server.config.RlsSettings.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RlsFileTest {

  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static RlsSettings good(Path path) {
    Reading reading = ConfigFile.read(path, Map.of());
    assertThat(reading.mistakes()).isEmpty();
    return reading.configuration().rls();
  }

  private Rule rule(String words) throws IOException {
    Path file = write("e.yaml", "domain: d\ndescriptors: [{key: k, rate_limit: {" + words + "}}]");
    return good(file).domains().get("d").get(0).rule().orElseThrow();
  }

  private static Limit named(Limit limit) {
    return limit.named("_rls");
  }

  @Test
  void a_tree_of_descriptors_is_read() throws IOException {
    Path file =
        write(
            "stint.yaml",
            Samples.RICH
                .replace("token-env: ADMIN_TOKEN", "token: 0123456789abcdef")
                .replace("token-env: TEAM_A", "token: 0123456789abcdef"));
    RlsSettings rls = good(file);
    assertThat(rls.deadline()).isEqualTo(Duration.ofMillis(10));
    assertThat(rls.domains().keySet()).containsExactly("mongo_cps");
    Node users = rls.domains().get("mongo_cps").get(0);
    assertThat(users.key()).isEqualTo("database");
    assertThat(users.value()).contains("users");
    assertThat(users.shadow()).isTrue();
    assertThat(users.rule())
        .contains(
            new Rule(
                Optional.of(named(Limit.fixedWindow(500, Duration.ofSeconds(1)).countingDenied())),
                false,
                500,
                "second",
                1,
                "users",
                List.of(),
                OnStoreError.LOCAL));
    Node path = users.children().get(0);
    assertThat(path.detailedMetric()).isTrue();
    assertThat(path.rule())
        .contains(
            new Rule(
                Optional.empty(), false, 0, "hour", 1, "", List.of("users"), OnStoreError.LOCAL));
  }

  @ParameterizedTest
  @CsvSource({
    "second, 1",
    "minute, 60",
    "hour, 3600",
    "day, 86400",
    "week, 604800",
    "month, 2592000",
    "YEAR, 31536000"
  })
  void a_unit_has_its_length(String unit, long seconds) throws IOException {
    assertThat(rule("requests_per_unit: 1, unit: " + unit).limit())
        .contains(named(Limit.fixedWindow(1, Duration.ofSeconds(seconds)).countingDenied()));
  }

  @Test
  void what_stint_adds_is_read() throws IOException {
    assertThat(
            rule(
                "requests_per_unit: 4294967295, unit: minute, unit_multiplier: 3, algorithm:"
                    + " token-bucket, burst: 9, count_denied: false, on_store_error: deny"))
        .isEqualTo(
            new Rule(
                Optional.of(
                    named(Limit.tokenBucket(4_294_967_295L, Duration.ofMinutes(3)).burst(9))),
                false,
                4_294_967_295L,
                "minute",
                3,
                "",
                List.of(),
                OnStoreError.DENY));
  }

  @ParameterizedTest
  @CsvSource({
    "fixed-window",
    "fixed-window-per-key",
    "sliding-log",
    "sliding-counter",
    "token-bucket",
    "leaky-bucket"
  })
  void every_algorithm_counts_refused_requests_unless_the_rule_says_otherwise(String algorithm)
      throws IOException {
    String rule = "requests_per_unit: 1, unit: day, algorithm: " + algorithm;
    Limit limit = named(Limit.parse("1/day " + algorithm));
    assertThat(rule(rule).limit()).contains(limit.countingDenied());
    assertThat(rule(rule + ", count_denied: true").limit()).contains(limit.countingDenied());
    assertThat(rule(rule + ", count_denied: false").limit()).contains(limit);
  }

  @Test
  void unlimited_has_no_limit() throws IOException {
    Rule rule = rule("unlimited: true, name: free");
    assertThat(rule.unlimited()).isTrue();
    assertThat(rule.limit()).isEmpty();
  }

  @Test
  void files_and_directories_are_read_beside_the_file_without_hidden_ones() throws IOException {
    write("rules/b.yaml", "domain: b\ndescriptors: []");
    write("rules/a.yml", "domain: a");
    write("rules/.hidden.yaml", "not: read");
    write("rules/..data/c.yaml", "not: read");
    write("rules/readme.txt", "not: read");
    write("one.yaml", "domain: one");
    Path file = write("stint.yaml", "rls: {files: [rules, one.yaml], domains: [{domain: here}]}");
    assertThat(good(file).domains().keySet()).containsExactly("here", "a", "b", "one");
    assertThat(ConfigFile.read(file, Map.of()).sources())
        .containsExactlyInAnyOrder(
            file,
            directory.resolve("rules"),
            directory.resolve("rules/a.yml"),
            directory.resolve("rules/b.yaml"),
            directory.resolve("one.yaml"));
  }

  @Test
  void a_file_or_directory_of_envoys_format_is_a_configuration_by_itself() throws IOException {
    Path file = write("only/a.yaml", "domain: a");
    assertThat(good(file).domains().keySet()).containsExactly("a");
    assertThat(good(file.getParent()).domains().keySet()).containsExactly("a");
  }

  @Test
  void an_empty_value_is_none() throws IOException {
    Path file = write("e.yaml", "domain: d\ndescriptors: [{key: k, value: ''}, {key: l, value: }]");
    assertThat(good(file).domains().get("d"))
        .extracting(Node::value)
        .containsOnly(Optional.empty());
  }
}
