package dev.stint.server.rls;

import static dev.stint.server.rls.RlsService.adding;
import static dev.stint.server.rls.RlsService.descriptor;
import static dev.stint.server.rls.RlsService.under;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Reading;
import dev.stint.server.engine.Watch;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a refused request is charged, as a configuration file says. */
class RlsCountDeniedTest {

  @TempDir private Path folder;

  private RlsService service(String file) throws IOException {
    Path path = Files.writeString(folder.resolve("stint.yaml"), file);
    Reading reading = ConfigFile.read(path, Map.of());
    assertThat(reading.mistakes()).isEmpty();
    return RlsService.with(reading.configuration(), Watch.NOBODY);
  }

  private static Code report(RlsService service, long units) {
    return service.ask(adding(units, descriptor("user", "a"))).getOverallCode();
  }

  private static Code question(RlsService service) {
    return report(service, 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fixed-window",
        "fixed-window-per-key",
        "sliding-log",
        "sliding-counter",
        "token-bucket",
        "leaky-bucket"
      })
  void a_report_beyond_the_limit_is_charged_and_questions_are_refused_until_the_debt_has_passed(
      String algorithm) throws IOException {
    String file =
        """
        domain: shop
        descriptors:
          - key: user
            rate_limit: {unit: minute, requests_per_unit: 1000, algorithm: %s}
        """;
    try (RlsService service = service(file.formatted(algorithm))) {
      assertThat(report(service, 900)).isEqualTo(Code.OK);
      assertThat(question(service)).isEqualTo(Code.OK);
      assertThat(report(service, 500)).isEqualTo(Code.OVER_LIMIT);
      assertThat(question(service)).isEqualTo(Code.OVER_LIMIT);
      service.time.advance(Duration.ofMinutes(2));
      assertThat(question(service)).isEqualTo(Code.OK);
      assertThat(service.left("user", "a")).isEqualTo(1000);
    }
  }

  @Test
  void the_debt_of_a_bucket_passes_at_its_rate_to_the_microsecond() throws IOException {
    String file =
        """
        domain: shop
        descriptors:
          - key: user
            rate_limit: {unit: minute, requests_per_unit: 1000, algorithm: token-bucket}
        """;
    try (RlsService service = service(file)) {
      report(service, 900);
      report(service, 500);
      service.time.advance(Duration.ofSeconds(24).minusNanos(1000)); // 400 units at 60 ms each
      assertThat(question(service)).isEqualTo(Code.OVER_LIMIT);
      service.time.advance(Duration.ofNanos(1000));
      assertThat(question(service)).isEqualTo(Code.OK);
    }
  }

  @Test
  void a_refused_request_charges_every_descriptor_of_it() throws IOException {
    String file =
        """
        domain: shop
        descriptors:
          - {key: user, rate_limit: {unit: minute, requests_per_unit: 10}}
          - {key: path, rate_limit: {unit: minute, requests_per_unit: 10, algorithm: token-bucket}}
          - {key: all, rate_limit: {unit: minute, requests_per_unit: 1}}
        """;
    try (RlsService service = service(file)) {
      service.code("all", "x");
      RateLimitResponse response =
          service.ask(descriptor("user", "a"), descriptor("path", "p"), descriptor("all", "x"));
      assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(response.getStatusesList().stream().map(DescriptorStatus::getCode))
          .containsExactly(Code.OK, Code.OK, Code.OVER_LIMIT);
      assertThat(service.left("user", "a")).isEqualTo(9);
      assertThat(service.left("path", "p")).isEqualTo(9);
    }
  }

  private static final String RULES =
      """
          descriptors:
            - {key: user, rate_limit: {unit: minute, requests_per_unit: 10}}
            - {key: counted, rate_limit: {unit: minute, requests_per_unit: 10, count_denied: true}}
            - {key: uncounted, rate_limit: {unit: minute, requests_per_unit: 10, count_denied: false}}
            - {key: all, rate_limit: {unit: minute, requests_per_unit: 1}}
      """;

  /** What is left of ten each after a refused request: of user, of counted, of uncounted. */
  private List<Integer> leftAfterRefusal(String file) throws IOException {
    try (RlsService service = service(file)) {
      service.code("all", "x");
      RateLimitResponse response =
          service.ask(
              descriptor("user", "a"),
              descriptor("counted", "a"),
              descriptor("uncounted", "a"),
              descriptor("all", "x"));
      assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      return List.of(
          service.left("user", "a"), service.left("counted", "a"), service.left("uncounted", "a"));
    }
  }

  private static String stintYaml(String serviceSetting, String domainSetting) {
    return "rls:\n"
        + ("  " + serviceSetting + "\n")
        + "  domains:\n"
        + "    - domain: shop\n"
        + ("      " + domainSetting + "\n")
        + RULES.indent(2);
  }

  @Test
  void a_rule_wins_over_its_domain_and_a_domain_over_the_service() throws IOException {
    assertThat(leftAfterRefusal(stintYaml("", ""))).containsExactly(9, 9, 10);
    assertThat(leftAfterRefusal(stintYaml("count-denied: false", ""))).containsExactly(10, 9, 10);
    assertThat(leftAfterRefusal(stintYaml("", "count_denied: false"))).containsExactly(10, 9, 10);
    assertThat(leftAfterRefusal(stintYaml("count-denied: false", "count_denied: true")))
        .containsExactly(9, 9, 10);
  }

  @Test
  void a_limit_that_comes_with_a_request_counts_as_its_domain_says() throws IOException {
    try (RlsService service = service(stintYaml("", ""))) {
      assertThat(leftOfOverride(service)).isEqualTo(0);
    }
    try (RlsService service = service(stintYaml("", "count_denied: false"))) {
      assertThat(leftOfOverride(service)).isEqualTo(3);
    }
  }

  private static int leftOfOverride(RlsService service) {
    var refused = under(5, RateLimitUnit.HOUR, adding(4, descriptor("user", "b")));
    service.ask(under(5, RateLimitUnit.HOUR, adding(2, descriptor("user", "b"))));
    assertThat(service.ask(refused).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    return service
        .ask(under(5, RateLimitUnit.HOUR, adding(0, descriptor("user", "b"))))
        .getStatuses(0)
        .getLimitRemaining();
  }
}
