package dev.stint.server.rls;

import static dev.stint.server.rls.RlsService.adding;
import static dev.stint.server.rls.RlsService.descriptor;
import static dev.stint.server.rls.RlsService.under;
import static dev.stint.server.rls.Rules.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit.Unit;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What rules may say beside a number, and what is told of them. */
class RlsRuleTest {

  @Test
  void a_status_tells_the_limit_what_is_left_and_when_the_window_ends() {
    try (RlsService service = RlsService.with(key("user").perMinute(10).named("users"))) {
      service.time.advance(Duration.ofMillis(14_500));
      DescriptorStatus status = service.status("user", "a");
      assertThat(status.getCode()).isEqualTo(Code.OK);
      assertThat(status.getCurrentLimit().getRequestsPerUnit()).isEqualTo(10);
      assertThat(status.getCurrentLimit().getUnit()).isEqualTo(Unit.MINUTE);
      assertThat(status.getCurrentLimit().getName()).isEqualTo("users");
      assertThat(status.getLimitRemaining()).isEqualTo(9);
      // 45.5 s, rounded up: retrying after the seconds that Envoy tells must succeed.
      assertThat(status.getDurationUntilReset().getSeconds()).isEqualTo(46);
      assertThat(status.getDurationUntilReset().getNanos()).isZero();
    }
  }

  @Test
  void a_window_ends_with_the_clocks_minute_also_where_nothing_was_counted() {
    try (RlsService service = RlsService.with(key("user").perMinute(10))) {
      service.time.advance(Duration.ofSeconds(20));
      assertThat(
              service
                  .ask(adding(0, descriptor("user", "a")))
                  .getStatuses(0)
                  .getDurationUntilReset()
                  .getSeconds())
          .isEqualTo(40);
    }
  }

  @Test
  void who_is_refused_may_come_back_after_the_told_seconds_and_not_earlier() {
    try (RlsService service = RlsService.with(key("user").perMinute(1))) {
      service.time.advance(Duration.ofSeconds(20));
      service.code("user", "a");
      DescriptorStatus refused = service.status("user", "a");
      assertThat(refused.getCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(refused.getDurationUntilReset().getSeconds()).isEqualTo(40);
      service.time.advance(Duration.ofSeconds(40).minusNanos(1000));
      assertThat(service.code("user", "a")).isEqualTo(Code.OVER_LIMIT);
      service.time.advance(Duration.ofNanos(1000));
      assertThat(service.code("user", "a")).isEqualTo(Code.OK);
    }
  }

  @Test
  void unlimited_passes_always_with_the_largest_number_left() {
    try (RlsService service =
        RlsService.with(key("user").perMinute(0), key("user", "root").unlimited())) {
      DescriptorStatus status = service.status("user", "root");
      assertThat(status.getCode()).isEqualTo(Code.OK);
      assertThat(Integer.toUnsignedLong(status.getLimitRemaining())).isEqualTo(4_294_967_295L);
    }
  }

  @Test
  void remaining_stops_at_the_largest_number_there_is_for_it() {
    try (RlsService service =
        RlsService.with(
            key("user")
                .limit(
                    Limit.tokenBucket(1_000_000, Duration.ofMinutes(1)).burst(1L << 33),
                    "minute"))) {
      assertThat(Integer.toUnsignedLong(service.status("user", "a").getLimitRemaining()))
          .isEqualTo(4_294_967_295L);
    }
  }

  @Test
  void a_rule_switches_off_those_it_replaces() {
    try (RlsService service =
        RlsService.with(
            key("all").perMinute(1).named("everybody"),
            key("user", "vip").perMinute(5).replacing("everybody"))) {
      service.code("all", "");
      RateLimitResponse response = service.ask(descriptor("all", ""), descriptor("user", "vip"));
      assertThat(response.getOverallCode()).isEqualTo(Code.OK);
      assertThat(response.getStatuses(0).hasCurrentLimit()).isFalse();
      assertThat(response.getStatuses(1).getLimitRemaining()).isEqualTo(4);
      assertThat(service.code("all", "")).isEqualTo(Code.OVER_LIMIT);
    }
  }

  @Test
  void also_an_unlimited_rule_and_one_that_is_replaced_itself_switch_off_others() {
    try (RlsService service =
        RlsService.with(
            key("a").perMinute(0).named("first"),
            key("b").perMinute(0).named("second").replacing("first"),
            key("c").unlimited().replacing("second"))) {
      assertThat(
              service
                  .ask(descriptor("a", ""), descriptor("b", ""), descriptor("c", ""))
                  .getOverallCode())
          .isEqualTo(Code.OK);
    }
  }

  @Test
  void an_override_is_used_as_it_is() {
    try (RlsService service = RlsService.with(key("user").perMinute(0).shadow())) {
      RateLimitResponse response =
          service.ask(under(1, RateLimitUnit.HOUR, descriptor("user", "a")));
      assertThat(response.getStatuses(0).getCurrentLimit().getRequestsPerUnit()).isEqualTo(1);
      assertThat(response.getStatuses(0).getCurrentLimit().getUnit()).isEqualTo(Unit.HOUR);
      assertThat(response.getOverallCode()).isEqualTo(Code.OK);
      assertThat(
              service.ask(under(1, RateLimitUnit.HOUR, descriptor("user", "a"))).getOverallCode())
          .isEqualTo(Code.OVER_LIMIT);
    }
  }

  @Test
  void an_override_needs_no_rule() {
    try (RlsService service = RlsService.with(key("user").perMinute(1))) {
      assertThat(
              service
                  .ask(under(0, RateLimitUnit.DAY, descriptor("colour", "red")))
                  .getOverallCode())
          .isEqualTo(Code.OVER_LIMIT);
    }
  }

  @Test
  void in_the_shadow_nobody_is_refused_and_nothing_is_left() {
    try (RlsService service = RlsService.with(key("user").perMinute(1).shadow())) {
      assertThat(service.status("user", "a").getLimitRemaining()).isZero();
      DescriptorStatus beyond = service.ask(adding(5, descriptor("user", "b"))).getStatuses(0);
      assertThat(beyond.getCode()).isEqualTo(Code.OK);
      assertThat(beyond.getLimitRemaining()).isZero();
      assertThat(beyond.getCurrentLimit().getRequestsPerUnit()).isEqualTo(1);
      assertThat(service.code("user", "a")).isEqualTo(Code.OK);
    }
  }

  @Test
  void a_shadow_that_is_over_lets_the_others_be_charged() {
    try (RlsService service =
        RlsService.with(key("user").perMinute(10), key("all").perMinute(1).shadow())) {
      service.code("all", "x");
      assertThat(service.ask(descriptor("user", "a"), descriptor("all", "x")).getOverallCode())
          .isEqualTo(Code.OK);
      assertThat(service.left("user", "a")).isEqualTo(9);
    }
  }

  static Stream<Limit> algorithms() {
    Duration minute = Duration.ofMinutes(1);
    return Stream.of(
        Limit.fixedWindow(5, minute),
        Limit.fixedWindowPerKey(5, minute),
        Limit.slidingLog(5, minute),
        Limit.slidingCounter(5, minute),
        Limit.tokenBucket(5, minute),
        Limit.leakyBucket(5, minute));
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void every_algorithm_counts_asks_and_gives_back(Limit limit) {
    try (RlsService service = RlsService.with(key("user").limit(limit, "minute"))) {
      for (int left = 4; left >= 0; left--) {
        assertThat(service.status("user", "a").getLimitRemaining()).isEqualTo(left);
      }
      assertThat(service.ask(adding(0, descriptor("user", "a"))).getOverallCode())
          .isEqualTo(Code.OK);
      assertThat(service.code("user", "a")).isEqualTo(Code.OVER_LIMIT);
      service.ask(RlsChargeTest.givingBack(2));
      assertThat(service.left("user", "a")).isEqualTo(2);
      service.time.advance(Duration.ofMinutes(2));
      assertThat(service.left("user", "a")).isEqualTo(5);
      assertThat(service.code("user", "a")).isEqualTo(Code.OK);
    }
  }

  @Test
  void a_bucket_is_reset_when_it_is_full_again() {
    try (RlsService service =
        RlsService.with(
            key("user").limit(Limit.tokenBucket(60, Duration.ofMinutes(1)), "minute"))) {
      assertThat(
              service
                  .ask(adding(7, descriptor("user", "a")))
                  .getStatuses(0)
                  .getDurationUntilReset()
                  .getSeconds())
          .isEqualTo(7);
    }
  }
}
