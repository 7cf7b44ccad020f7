package dev.stint.server.rls;

import static dev.stint.server.rls.RlsService.descriptor;
import static dev.stint.server.rls.RlsService.request;
import static dev.stint.server.rls.Rules.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import org.junit.jupiter.api.Test;

/** Which rule a descriptor finds. The amount of a rule tells which one it was. */
class RlsLookupTest {

  private static int found(RlsService service, String... entries) {
    DescriptorStatus status = service.status(entries);
    return status.hasCurrentLimit() ? status.getCurrentLimit().getRequestsPerUnit() : 0;
  }

  @Test
  void an_exact_value_wins_over_patterns_and_over_the_key_alone() {
    try (RlsService service =
        RlsService.with(
            key("user").perMinute(10),
            key("user", "al*").perMinute(20),
            key("user", "alice").perMinute(30))) {
      assertThat(found(service, "user", "alice")).isEqualTo(30);
    }
  }

  @Test
  void a_pattern_wins_over_the_key_alone() {
    try (RlsService service =
        RlsService.with(key("user").perMinute(10), key("user", "al*").perMinute(20))) {
      assertThat(found(service, "user", "albert")).isEqualTo(20);
    }
  }

  @Test
  void the_key_alone_takes_what_is_left() {
    try (RlsService service =
        RlsService.with(key("user").perMinute(10), key("user", "al*").perMinute(20))) {
      assertThat(found(service, "user", "bob")).isEqualTo(10);
      assertThat(found(service, "user", "")).isEqualTo(10);
    }
  }

  @Test
  void patterns_are_tried_in_the_order_of_the_file() {
    try (RlsService service =
        RlsService.with(key("path", "/a/*").perMinute(10), key("path", "/a/b/*").perMinute(20))) {
      assertThat(found(service, "path", "/a/b/c")).isEqualTo(10);
    }
    try (RlsService service =
        RlsService.with(key("path", "/a/b/*").perMinute(20), key("path", "/a/*").perMinute(10))) {
      assertThat(found(service, "path", "/a/b/c")).isEqualTo(20);
      assertThat(found(service, "path", "/a/x")).isEqualTo(10);
    }
  }

  @Test
  void a_star_stands_for_any_run_of_characters_in_any_place() {
    try (RlsService service =
        RlsService.with(
            key("path", "/v*/users/*/mail").perMinute(10), key("path", "*.png").perMinute(20))) {
      assertThat(found(service, "path", "/v1/users/7/mail")).isEqualTo(10);
      assertThat(found(service, "path", "/v/users//mail")).isEqualTo(10);
      assertThat(found(service, "path", "/v1/users/7/mails")).isZero();
      assertThat(found(service, "path", "/v1/users/mail")).isZero();
      assertThat(found(service, "path", "/a/b.png")).isEqualTo(20);
      assertThat(found(service, "path", ".png")).isEqualTo(20);
    }
  }

  @Test
  void each_value_under_a_pattern_or_a_key_alone_has_its_own_count() {
    try (RlsService service =
        RlsService.with(key("user").perMinute(1), key("user", "al*").perMinute(1))) {
      assertThat(service.code("user", "bob")).isEqualTo(Code.OK);
      assertThat(service.code("user", "carol")).isEqualTo(Code.OK);
      assertThat(service.code("user", "alice")).isEqualTo(Code.OK);
      assertThat(service.code("user", "albert")).isEqualTo(Code.OK);
      assertThat(service.code("user", "bob")).isEqualTo(Code.OVER_LIMIT);
    }
  }

  @Test
  void only_the_rule_at_the_last_entry_counts() {
    try (RlsService service =
        RlsService.with(
            key("tenant").perMinute(10).under(key("user").perMinute(20), key("path")))) {
      assertThat(found(service, "tenant", "a")).isEqualTo(10);
      assertThat(found(service, "tenant", "a", "user", "b")).isEqualTo(20);
      assertThat(found(service, "tenant", "a", "path", "b")).isZero();
      assertThat(found(service, "tenant", "a", "user", "b", "path", "c")).isZero();
      assertThat(found(service, "user", "b")).isZero();
    }
  }

  @Test
  void the_way_down_is_never_gone_back() {
    try (RlsService service =
        RlsService.with(
            key("tenant", "a").under(key("path").perMinute(10)),
            key("tenant").under(key("user").perMinute(20)))) {
      assertThat(found(service, "tenant", "a", "user", "x")).isZero();
      assertThat(found(service, "tenant", "b", "user", "x")).isEqualTo(20);
    }
  }

  @Test
  void the_order_of_the_entries_matters() {
    try (RlsService service = RlsService.with(key("a").under(key("b").perMinute(10)))) {
      assertThat(found(service, "b", "1", "a", "1")).isZero();
    }
  }

  @Test
  void without_a_rule_everything_passes_and_no_limit_is_told() {
    try (RlsService service = RlsService.with(key("user").perMinute(1))) {
      RateLimitResponse response = service.ask(descriptor("colour", "red"));
      assertThat(response.getOverallCode()).isEqualTo(Code.OK);
      assertThat(response.getStatusesList())
          .containsExactly(DescriptorStatus.newBuilder().setCode(Code.OK).build());
    }
  }

  @Test
  void in_an_unknown_domain_everything_passes() {
    try (RlsService service = RlsService.with(key("user").perMinute(0))) {
      RateLimitResponse response =
          service.ask(
              request(descriptor("user", "a"), descriptor("user", "b")).toBuilder()
                  .setDomain("elsewhere")
                  .build());
      assertThat(response.getOverallCode()).isEqualTo(Code.OK);
      assertThat(response.getStatusesList())
          .hasSize(2)
          .allMatch(status -> status.getCode() == Code.OK && !status.hasCurrentLimit());
      assertThat(service.service.engine().stores().memory().keys()).isZero();
    }
  }

  @Test
  void a_reload_changes_the_rules_and_keeps_the_counts() {
    try (RlsService service = RlsService.with(key("user").perMinute(10))) {
      service.code("user", "a");
      service.service.reload(
          dev.stint.server.config.Configuration.standard()
              .withRls(Rules.domain(key("user").perMinute(20))));
      assertThat(service.status("user", "a").getLimitRemaining()).isEqualTo(18);
    }
  }
}
