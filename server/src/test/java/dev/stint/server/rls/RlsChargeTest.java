package dev.stint.server.rls;

import static dev.stint.server.rls.RlsService.adding;
import static dev.stint.server.rls.RlsService.descriptor;
import static dev.stint.server.rls.RlsService.request;
import static dev.stint.server.rls.RlsService.under;
import static dev.stint.server.rls.Rules.key;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UInt64Value;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a request costs whom. */
class RlsChargeTest {

  private static List<Code> codes(RateLimitResponse response) {
    return response.getStatusesList().stream().map(DescriptorStatus::getCode).toList();
  }

  @Test
  void admits_as_many_as_the_limit_says_and_no_more() {
    try (RlsService service = RlsService.with(key("user").perMinute(3))) {
      for (int i = 0; i < 3; i++) {
        assertThat(service.code("user", "a")).isEqualTo(Code.OK);
      }
      assertThat(service.code("user", "a")).isEqualTo(Code.OVER_LIMIT);
    }
  }

  @Test
  void an_addend_of_zero_in_the_request_counts_one() {
    try (RlsService service = RlsService.with(key("user").perMinute(10))) {
      service.ask(request(descriptor("user", "a")).toBuilder().setHitsAddend(0).build());
      assertThat(service.left("user", "a")).isEqualTo(9);
    }
  }

  @Test
  void the_addend_of_the_request_counts_for_every_descriptor() {
    try (RlsService service = RlsService.with(key("user").perMinute(10))) {
      service.ask(
          request(descriptor("user", "a"), descriptor("user", "b")).toBuilder()
              .setHitsAddend(4)
              .build());
      assertThat(service.left("user", "a")).isEqualTo(6);
      assertThat(service.left("user", "b")).isEqualTo(6);
    }
  }

  @Test
  void the_addend_of_a_descriptor_wins_over_the_requests() {
    try (RlsService service = RlsService.with(key("user").perMinute(10))) {
      service.ask(
          request(adding(2, descriptor("user", "a")), descriptor("user", "b")).toBuilder()
              .setHitsAddend(4)
              .build());
      assertThat(service.left("user", "a")).isEqualTo(8);
      assertThat(service.left("user", "b")).isEqualTo(6);
    }
  }

  @Test
  void a_descriptors_addend_of_zero_only_asks() {
    try (RlsService service = RlsService.with(key("user").perMinute(1))) {
      for (int i = 0; i < 3; i++) {
        assertThat(service.ask(adding(0, descriptor("user", "a"))).getOverallCode())
            .isEqualTo(Code.OK);
      }
      assertThat(service.service.engine().stores().memory().keys()).isZero();
      assertThat(service.code("user", "a")).isEqualTo(Code.OK);
    }
  }

  @Test
  void who_only_asks_is_over_when_more_is_used_than_allowed_and_not_when_all_is() {
    try (RlsService service = RlsService.with(key("user").perMinute(1).countDenied())) {
      service.code("user", "a");
      assertThat(service.ask(adding(0, descriptor("user", "a"))).getOverallCode())
          .isEqualTo(Code.OK);
      service.code("user", "a");
      assertThat(service.ask(adding(0, descriptor("user", "a"))).getOverallCode())
          .isEqualTo(Code.OVER_LIMIT);
    }
  }

  @Test
  void a_question_that_is_over_keeps_the_others_from_being_charged() {
    try (RlsService service =
        RlsService.with(key("user").perMinute(10), key("all").perMinute(1).countDenied())) {
      service.code("all", "x");
      service.code("all", "x");
      RateLimitResponse response =
          service.ask(descriptor("user", "a"), adding(0, descriptor("all", "x")));
      assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(codes(response)).containsExactly(Code.OK, Code.OVER_LIMIT);
      assertThat(service.left("user", "a")).isEqualTo(10);
    }
  }

  @Test
  void an_addend_beyond_the_limit_never_fits_and_costs_nothing() {
    try (RlsService service = RlsService.with(key("user").perMinute(5))) {
      for (long addend : new long[] {6, 1L << 31, 1L << 53, Long.MAX_VALUE, -1}) {
        assertThat(service.ask(adding(addend, descriptor("user", "a"))).getOverallCode())
            .isEqualTo(Code.OVER_LIMIT);
      }
      assertThat(service.left("user", "a")).isEqualTo(5);
    }
  }

  @Test
  void an_addend_of_32_bits_is_read_as_unsigned() {
    try (RlsService service = RlsService.with(key("user").perMinute(4_000_000_000L))) {
      DescriptorStatus status =
          service
              .ask(
                  request(descriptor("user", "a")).toBuilder()
                      .setHitsAddend(-1_294_967_296)
                      .build())
              .getStatuses(0);
      assertThat(status.getCode()).isEqualTo(Code.OK);
      assertThat(Integer.toUnsignedLong(status.getLimitRemaining())).isEqualTo(1_000_000_000L);
    }
  }

  static dev.stint.rls.RateLimitRequest givingBack(long hits) {
    return dev.stint.rls.RateLimitRequest.newBuilder()
        .setDomain(Rules.DOMAIN)
        .addDescriptors(
            dev.stint.rls.RateLimitDescriptor.newBuilder()
                .addEntries(
                    dev.stint.rls.RateLimitDescriptor.Entry.newBuilder()
                        .setKey("user")
                        .setValue("a"))
                .setHitsAddend(UInt64Value.of(hits))
                .setIsNegativeHits(true))
        .build();
  }

  @Test
  void negative_hits_are_given_back() {
    try (RlsService service = RlsService.with(key("user").perMinute(10))) {
      service.ask(adding(7, descriptor("user", "a")));
      dev.stint.rls.RateLimitResponse response = service.ask(givingBack(5));
      assertThat(response.getOverallCode()).isEqualTo(dev.stint.rls.RateLimitResponse.Code.OK);
      assertThat(response.getStatuses(0).getLimitRemaining()).isEqualTo(8);
      assertThat(service.left("user", "a")).isEqualTo(8);
    }
  }

  @Test
  void never_more_is_given_back_than_was_taken() {
    try (RlsService service = RlsService.with(key("user").perMinute(10))) {
      service.ask(adding(3, descriptor("user", "a")));
      service.ask(givingBack(1000));
      assertThat(service.left("user", "a")).isEqualTo(10);
      service.ask(givingBack(1000));
      assertThat(service.left("user", "a")).isEqualTo(10);
    }
  }

  @Test
  void a_request_may_take_and_give_back_at_once() {
    try (RlsService service = RlsService.with(key("user").perMinute(10), key("all").perMinute(1))) {
      service.ask(adding(7, descriptor("user", "a")));
      service.ask(
          givingBack(2).toBuilder()
              .addDescriptors(
                  dev.stint.rls.RateLimitDescriptor.newBuilder()
                      .addEntries(
                          dev.stint.rls.RateLimitDescriptor.Entry.newBuilder().setKey("all")))
              .build());
      assertThat(service.left("user", "a")).isEqualTo(5);
      assertThat(service.left("all", "")).isZero();
    }
  }

  @Test
  void who_is_refused_by_one_descriptor_pays_for_none() {
    try (RlsService service = RlsService.with(key("user").perMinute(10), key("all").perMinute(1))) {
      service.code("all", "x");
      RateLimitResponse response = service.ask(descriptor("user", "a"), descriptor("all", "x"));
      assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(codes(response)).containsExactly(Code.OK, Code.OVER_LIMIT);
      assertThat(service.left("user", "a")).isEqualTo(10);
    }
  }

  @Test
  void where_denied_hits_count_the_refused_pay_too() {
    try (RlsService service =
        RlsService.with(key("user").perMinute(10).countDenied(), key("all").perMinute(1))) {
      service.code("all", "x");
      service.ask(descriptor("user", "a"), descriptor("all", "x"));
      assertThat(service.left("user", "a")).isEqualTo(9);
    }
  }

  @Test
  void nothing_per_unit_refuses_everything_and_charges_nobody() {
    try (RlsService service =
        RlsService.with(
            key("user").perMinute(10),
            key("path").perMinute(10).countDenied(),
            key("banned").perMinute(0))) {
      RateLimitResponse response =
          service.ask(descriptor("user", "a"), descriptor("path", "p"), descriptor("banned", "b"));
      assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(codes(response)).containsExactly(Code.OK, Code.OK, Code.OVER_LIMIT);
      assertThat(service.left("user", "a")).isEqualTo(10);
      assertThat(service.left("path", "p")).isEqualTo(9);
      assertThat(response.getStatuses(2).getCurrentLimit().getRequestsPerUnit()).isZero();
      assertThat(response.getStatuses(2).getDurationUntilReset().getSeconds()).isEqualTo(60);
      assertThat(service.code("banned", "b")).isEqualTo(Code.OVER_LIMIT);
    }
  }

  @Test
  void nothing_per_unit_in_the_shadow_refuses_nobody() {
    try (RlsService service =
        RlsService.with(key("user").perMinute(10), key("banned").perMinute(0).shadow())) {
      RateLimitResponse response = service.ask(descriptor("user", "a"), descriptor("banned", "b"));
      assertThat(response.getOverallCode()).isEqualTo(Code.OK);
      assertThat(service.left("user", "a")).isEqualTo(9);
    }
  }

  @Test
  void descriptors_that_are_alike_are_charged_together() {
    try (RlsService service = RlsService.with(key("user").perMinute(10))) {
      RateLimitResponse response =
          service.ask(
              adding(2, descriptor("user", "a")),
              descriptor("user", "b"),
              adding(3, descriptor("user", "a")));
      assertThat(response.getStatusesList().stream().map(DescriptorStatus::getLimitRemaining))
          .containsExactly(5, 9, 5);
      assertThat(
              service
                  .ask(adding(3, descriptor("user", "a")), adding(3, descriptor("user", "a")))
                  .getOverallCode())
          .isEqualTo(Code.OVER_LIMIT);
      assertThat(service.left("user", "a")).isEqualTo(5);
    }
  }

  @Test
  void alike_under_two_limits_the_smaller_one_counts() {
    try (RlsService service = RlsService.with(key("user").perMinute(10))) {
      RateLimitDescriptor two = adding(2, descriptor("user", "a"));
      RateLimitDescriptor wide = under(10, RateLimitUnit.MINUTE, two);
      RateLimitDescriptor narrow = under(3, RateLimitUnit.MINUTE, two);
      assertThat(service.ask(wide, narrow).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(service.ask(narrow).getStatuses(0).getLimitRemaining()).isEqualTo(1);
    }
  }

  @Test
  void an_override_is_counted_apart_from_the_rule() {
    try (RlsService service = RlsService.with(key("user").perMinute(1))) {
      RateLimitDescriptor user = descriptor("user", "a");
      RateLimitDescriptor overridden = under(1, RateLimitUnit.MINUTE, user);
      assertThat(service.ask(user).getOverallCode()).isEqualTo(Code.OK);
      assertThat(service.ask(overridden).getOverallCode()).isEqualTo(Code.OK);
      assertThat(service.ask(overridden).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    }
  }

  @Test
  void a_rule_and_an_override_in_one_request_are_charged_both_or_neither() {
    try (RlsService service = RlsService.with(key("user").perMinute(2))) {
      RateLimitDescriptor user = descriptor("user", "a");
      RateLimitDescriptor other = descriptor("other", "b");
      RateLimitDescriptor once = under(1, RateLimitUnit.MINUTE, other);
      RateLimitDescriptor twice = under(2, RateLimitUnit.MINUTE, other);
      assertThat(service.ask(user, once).getOverallCode()).isEqualTo(Code.OK);
      assertThat(service.ask(user, once).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(service.left("user", "a")).as("the override has refused").isEqualTo(1);

      assertThat(service.ask(adding(2, user), twice).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      assertThat(service.ask(twice).getStatuses(0).getLimitRemaining())
          .as("the rule has refused")
          .isZero();
    }
  }

  @Test
  void no_two_descriptors_share_a_count_by_their_spelling() {
    try (RlsService service =
        RlsService.with(
            key("a").perMinute(1).under(key("b").perMinute(1)), key("a_b").perMinute(1))) {
      assertThat(service.code("a", "b_c")).isEqualTo(Code.OK);
      assertThat(service.code("a_b", "c")).isEqualTo(Code.OK);
      assertThat(service.code("a", "", "b", "")).isEqualTo(Code.OK);
      assertThat(service.code("a", "\u0001b\u0000")).isEqualTo(Code.OK);
      assertThat(service.code("a", "b_c")).isEqualTo(Code.OVER_LIMIT);
    }
  }

  @Test
  void values_longer_than_a_byte_tells_are_told_apart_too() {
    String longer = "x".repeat(300);
    try (RlsService service = RlsService.with(key("a").perMinute(1))) {
      assertThat(service.code("a", longer)).isEqualTo(Code.OK);
      assertThat(service.code("a", longer + "x")).isEqualTo(Code.OK);
      assertThat(service.code("a", longer)).isEqualTo(Code.OVER_LIMIT);
    }
  }
}
