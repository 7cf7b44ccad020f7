package dev.stint.studio.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Limit;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {

  private static final List<Limit> LIMITS = Limit.parseAll("10/second; 100/minute burst 20");

  @Test
  void without_an_algorithm_the_limits_stay_as_they_are() {
    assertThat(Plan.of(LIMITS, List.of())).containsExactly(new Plan("token-bucket", LIMITS));
    assertThat(Plan.of(Limit.parseAll("10/s; 100/day fixed-window")).name()).isEqualTo("as given");
  }

  @Test
  void all_is_every_algorithm_that_forgets_once() {
    assertThat(Plan.of(LIMITS, List.of("all", "sliding-log")))
        .extracting(Plan::name)
        .containsExactly(
            "fixed-window",
            "fixed-window-per-key",
            "sliding-log",
            "sliding-counter",
            "token-bucket",
            "leaky-bucket");
  }

  @Test
  void an_algorithm_keeps_amount_window_name_and_a_bucket_its_burst() {
    assertThat(Plan.of(LIMITS, List.of("leaky-bucket")).get(0).limits())
        .isEqualTo(Limit.parseAll("10/second leaky-bucket; 100/minute burst 20 leaky-bucket"));
    Limit named = Limit.parse("10/second").named("api");
    assertThat(Plan.of(List.of(named), List.of("sliding-log")).get(0).limits())
        .containsExactly(Limit.parse("10/second sliding-log").named("api"));
  }

  @Test
  void a_limit_that_counts_denied_hits_does_so_under_every_algorithm() {
    List<Limit> counting = Limit.parseAll("10/minute fixed-window counting-denied");
    assertThat(Plan.of(counting, List.of("fixed-window", "fixed-window-per-key", "sliding-log")))
        .flatExtracting(Plan::limits)
        .containsExactly(
            Limit.parse("10/minute fixed-window counting-denied"),
            Limit.parse("10/minute fixed-window-per-key counting-denied"),
            Limit.parse("10/minute sliding-log counting-denied"));
  }

  @Test
  void all_leaves_out_the_log_of_what_no_log_can_hold() {
    List<Limit> large = Limit.parseAll("1000001/minute");
    assertThat(Plan.of(large, List.of("all"))).extracting(Plan::name).doesNotContain("sliding-log");
    assertThatThrownBy(() -> Plan.of(large, List.of("sliding-log")))
        .hasMessage(
            "a sliding log holds at most 1000000 hits; choose another algorithm for this:"
                + " 1000001/minute");
  }

  @Test
  void the_exact_plan_is_the_sliding_log_of_the_same_limits() {
    Plan exact = Plan.of(LIMITS).exact();
    assertThat(exact.limits()).isEqualTo(Limit.parseAll("10/s sliding-log; 100/min sliding-log"));
    assertThat(exact.isExact()).isTrue();
    assertThat(Plan.of(LIMITS).isExact()).isFalse();
  }

  @Test
  void an_unknown_algorithm_is_named_with_those_that_exist() {
    assertThatThrownBy(() -> Plan.of(LIMITS, List.of("bucket")))
        .hasMessage(
            "algorithm must be all or one of fixed-window, fixed-window-per-key, sliding-log,"
                + " sliding-counter, token-bucket, leaky-bucket: 'bucket'");
  }

  @Test
  void a_quota_has_no_other_algorithm() {
    assertThatThrownBy(() -> Plan.of(Limit.parseAll("10 total"), List.of("all")))
        .hasMessageStartingWith("a quota has no window and no other algorithm");
    assertThat(Plan.of(Limit.parseAll("10 total")).isExact()).isTrue();
  }
}
