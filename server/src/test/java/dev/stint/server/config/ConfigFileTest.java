package dev.stint.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.http.HeaderFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {

  private static final Map<String, String> ENVIRONMENT =
      Map.of("ADMIN_TOKEN", "0123456789abcdef", "TEAM_A", "aaaaaaaaaaaaaaaaaaaa");

  @TempDir private Path directory;

  private Reading read(String yaml) throws IOException {
    Path file = directory.resolve("stint.yaml");
    Files.writeString(file, yaml);
    return ConfigFile.read(file, ENVIRONMENT);
  }

  private Configuration good(String yaml) throws IOException {
    Reading reading = read(yaml);
    assertThat(reading.mistakes()).isEmpty();
    return reading.configuration();
  }

  private static List<Limit> limits(String... texts) {
    return List.of(texts).stream().map(Limit::parse).toList();
  }

  @Test
  void an_empty_file_is_the_standard_configuration() throws IOException {
    for (String nothing : List.of("", "\n", "# nothing\n", "---\n", "~\n", "\uFEFF")) {
      Reading reading = read(nothing);
      assertThat(reading.mistakes()).isEmpty();
      assertThat(reading.isEmpty()).isTrue();
      assertThat(reading.configuration()).isEqualTo(Configuration.standard());
    }
  }

  @Test
  void the_store_is_read() throws IOException {
    assertThat(good(Samples.RICH).store())
        .isEqualTo(
            new StoreSettings(
                "redis-cluster://one:7000,two:7001",
                500_000,
                20_000,
                "stint:",
                Duration.ofMillis(20),
                3));
    assertThat(good("store: memory").store()).isEqualTo(StoreSettings.memory());
    assertThat(good("store: redis://localhost").store())
        .isEqualTo(StoreSettings.at("redis://localhost"));
  }

  @Test
  void limits_of_requests_have_a_tenth_of_the_keys_unless_told_otherwise() throws IOException {
    assertThat(good("").store().requestKeys()).isEqualTo(100_000);
    assertThat(good("store: redis://localhost").store().requestKeys()).isEqualTo(100_000);
    assertThat(good("store: {max-keys: 5000}").store().requestKeys()).isEqualTo(500);
    assertThat(good("store: {max-keys: 9}").store().requestKeys()).isEqualTo(1);
    assertThat(good("store: {request-keys: 7, max-keys: 9}").store().requestKeys()).isEqualTo(7);
    assertThat(good("store: {max-keys: 5000}").store().url("redis://other").requestKeys())
        .isEqualTo(500);
  }

  @Test
  void the_listeners_are_read() throws IOException {
    Listeners listeners = good(Samples.RICH).listeners();
    assertThat(listeners.http()).isEqualTo(Listener.on(8080));
    assertThat(listeners.grpc()).isEqualTo(Listener.on(8081));
    assertThat(listeners.resp().isOn()).isFalse();
    assertThat(listeners.admin())
        .isEqualTo(Listener.on("0.0.0.0", 9091).token(Secret.of("0123456789abcdef")));
  }

  @Test
  void an_address_may_be_of_either_kind_and_a_port_alone_keeps_the_usual_address()
      throws IOException {
    Listeners listeners =
        good("listeners: {http: '[::1]:80', grpc: localhost:0, resp: 10.0.0.1:81, admin: 91}")
            .listeners();
    assertThat(listeners.http()).isEqualTo(Listener.on("::1", 80));
    assertThat(listeners.grpc()).isEqualTo(Listener.on("localhost", 0));
    assertThat(listeners.resp()).isEqualTo(Listener.on("10.0.0.1", 81));
    assertThat(listeners.admin()).isEqualTo(Listener.on("127.0.0.1", 91));
  }

  @Test
  void certificates_are_found_beside_the_file() throws IOException {
    Files.writeString(directory.resolve("c.pem"), "-----BEGIN CERTIFICATE-----\n");
    Files.writeString(directory.resolve("k.pem"), "-----BEGIN PRIVATE KEY-----\n");
    Listener http =
        good("listeners: {http: {port: 443, tls: {certificate: c.pem, key: k.pem}}}")
            .listeners()
            .http();
    assertThat(http)
        .isEqualTo(
            Listener.on(443)
                .tls(new Tls(directory.resolve("c.pem"), directory.resolve("k.pem"), null)));
  }

  @Test
  void clients_have_tokens_from_the_file_the_environment_or_a_file_of_their_own()
      throws IOException {
    Files.writeString(directory.resolve("token"), "cccccccccccccccccccc\n");
    assertThat(good(Samples.RICH).clients())
        .isEqualTo(
            Clients.of(
                Map.of(
                    "team-a",
                    ClientSettings.deciding(Secret.of("aaaaaaaaaaaaaaaaaaaa")),
                    "team-b",
                    ClientSettings.changing(Secret.of("bbbbbbbbbbbbbbbbbbbb")))));
    assertThat(good("clients: {c: {token-file: token}}").clients().byName())
        .containsEntry("c", ClientSettings.deciding(Secret.of("cccccccccccccccccccc")));
  }

  @Test
  void a_client_may_be_given_one_permission_or_several() throws IOException {
    String token = "token: cccccccccccccccccccc";
    assertThat(may("clients: {c: {" + token + "}}")).containsExactly(Permission.DECIDE);
    assertThat(may("clients: {c: {" + token + ", may: decide}}"))
        .containsExactly(Permission.DECIDE);
    assertThat(may("clients: {c: {" + token + ", may: [change]}}"))
        .containsExactly(Permission.CHANGE);
    assertThat(may("clients: {c: {" + token + ", may: [decide, change]}}"))
        .containsExactlyInAnyOrder(Permission.DECIDE, Permission.CHANGE);
  }

  private Set<Permission> may(String yaml) throws IOException {
    return good(yaml).clients().byName().get("c").may();
  }

  @Test
  void everybody_is_told_from_nothing_said() throws IOException {
    assertThat(good("clients: everybody").clients()).isEqualTo(Clients.everybody());
    assertThat(good("store: memory").clients())
        .isEqualTo(Clients.unspecified())
        .isNotEqualTo(Clients.everybody());
  }

  @Test
  void no_policies_have_to_be_asked_for() throws IOException {
    assertThat(good("policies: none").policies()).isEmpty();
    assertThat(good("store: memory").policies()).containsOnlyKeys("default");
  }

  @Test
  void policies_are_read_in_their_order() throws IOException {
    assertThat(good(Samples.RICH).policies().keySet())
        .containsExactly("default", "api", "tighter", "windows");
  }

  @Test
  void a_policy_may_be_its_limits_alone() throws IOException {
    assertThat(good("policies: {a: 5/minute, b: [5/minute, 7/day]}").policies())
        .containsEntry("a", PolicySettings.of(limits("5/minute")))
        .containsEntry("b", PolicySettings.of(limits("5/minute", "7/day")));
  }

  @Test
  void a_policy_is_read_with_all_its_settings() throws IOException {
    assertThat(good(Samples.RICH).policies().get("api"))
        .isEqualTo(
            new PolicySettings(
                limits("100/minute burst 20", "5000/day"),
                true,
                false,
                OnStoreError.DENY,
                HeaderFormat.GITHUB,
                List.of(
                    new PolicySettings.Override("alice", false, limits("1000/minute")),
                    new PolicySettings.Override("free:", true, limits("10/minute", "100/day"))),
                Optional.of("tighter")));
  }

  @Test
  void an_algorithm_is_for_all_limits_that_name_none() throws IOException {
    assertThat(
            good("policies: {a: {limits: 5/minute; 6/day token-bucket | 7/hour, algorithm: sliding-log}}")
                .policies()
                .get("a")
                .limits())
        .isEqualTo(limits("5/minute sliding-log", "6/day token-bucket", "7/hour sliding-log"));
    assertThat(good(Samples.RICH).policies().get("windows").limits())
        .isEqualTo(limits("10/hour fixed-window counting-denied"));
  }

  @Test
  void the_block_of_rlaas_is_the_policy_default() throws IOException {
    String fixed =
        "rate-limiter: {use-algo: fixed-window-algo, window-size: 60, max-requests: 5}\n";
    assertThat(good(fixed).policies())
        .isEqualTo(
            Map.of("default", PolicySettings.of(limits("5/minute fixed-window counting-denied"))));
    String sliding =
        "rate-limiter: {use-algo: sliding-window-algo, window-size: 30, max-requests: 7}\n";
    assertThat(good(sliding + "policies: {api: 9/minute}").policies())
        .containsEntry("default", PolicySettings.of(limits("7 per 30 seconds sliding-log")))
        .containsEntry("api", PolicySettings.of(limits("9/minute")));
  }

  @Test
  void bounds_and_telemetry_are_read() throws IOException {
    Configuration rich = good(Samples.RICH);
    assertThat(rich.bounds())
        .isEqualTo(
            new Bounds(
                2 << 20, 16 << 10, 1000, 10, 20, 30, Duration.ofSeconds(5), Duration.ofSeconds(1)));
    assertThat(rich.telemetry())
        .isEqualTo(new Telemetry(10, true, true, Optional.of("http://localhost:4318")));
  }

  @Test
  void nothing_may_have_a_unit() throws IOException {
    for (String nothing : List.of("0", "0s", "0 ms", "0 minutes")) {
      assertThat(good("bounds: {drain: " + nothing + "}").bounds().drain()).isZero();
    }
  }

  @Test
  void a_directory_stands_for_the_file_in_it() throws IOException {
    Files.writeString(directory.resolve("stint.yaml"), "policies: {a: 5/minute}");
    assertThat(ConfigFile.read(directory, ENVIRONMENT).configuration().policies().keySet())
        .containsExactly("a");
  }

  @Test
  void in_kubernetes_there_is_a_shutdown_delay_unless_the_file_says_otherwise(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("stint.yaml");
    Map<String, String> pod = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    Files.writeString(file, "policies: {api: 5/minute}");
    assertThat(delay(file, Map.of())).isZero();
    assertThat(delay(file, pod)).isEqualTo(Duration.ofSeconds(5));
    Files.writeString(file, "bounds: {drain: 1s}\npolicies: {api: 5/minute}");
    assertThat(delay(file, pod)).isEqualTo(Duration.ofSeconds(5));
    Files.writeString(file, "bounds: {shutdown-delay: 0s}\npolicies: {api: 5/minute}");
    assertThat(delay(file, pod)).isZero();
  }

  private static Duration delay(Path file, Map<String, String> environment) {
    return ConfigFile.read(file, environment).configuration().bounds().shutdownDelay();
  }
}
