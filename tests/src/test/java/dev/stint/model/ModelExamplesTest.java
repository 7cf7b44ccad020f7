package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.model.Terms.Kind;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * The model against examples worked out by hand from the rules. Times in microseconds; {@code T} is
 * where they begin.
 */
class ModelExamplesTest {
  private static final long SECOND = 1_000_000;
  private static final long T = 1_000 * SECOND;

  private final Model model = new Model();

  private Answer hit(long now, Terms terms, long cost) {
    return model.hit(now, List.of(Ask.of(terms, "a", cost)));
  }

  private Answer peek(long now, Terms terms, long cost) {
    return model.peek(now, List.of(Ask.of(terms, "a", cost)));
  }

  private long used(long now, Terms terms) {
    return model.state(now, terms, "a").used();
  }

  @Test
  void a_token_bucket_of_5_per_second_admits_again_after_200_ms() {
    Terms terms = Terms.of(Kind.TOKEN_BUCKET, 5, SECOND);
    assertThat(hit(T, terms, 1).decider().remaining()).isEqualTo(4);
    assertThat(hit(T, terms, 4).decider().remaining()).isZero();
    assertThat(hit(T, terms, 1).retryAfter()).isEqualTo(200_000);
    assertThat(hit(T + 199_999, terms, 1).retryAfter()).isEqualTo(1);
    assertThat(hit(T + 200_000, terms, 1).allowed()).isTrue();
  }

  @Test
  void a_bucket_of_7_per_3_s_rounds_its_waits_up_and_its_instants_never() {
    Terms terms = Terms.of(Kind.LEAKY_BUCKET, 7, 3 * SECOND);
    hit(T, terms, 7);
    // A unit takes 428,571 3/7 microseconds; seven of them take three seconds to the microsecond.
    assertThat(hit(T, terms, 1).retryAfter()).isEqualTo(428_572);
    assertThat(hit(T, terms, 2).retryAfter()).isEqualTo(857_143);
    for (long unit = 1; unit <= 7; unit++) {
      long moment = T + (unit * 3 * SECOND + 6) / 7;
      assertThat(hit(moment - 1, terms, 1).allowed()).isFalse();
      assertThat(hit(moment, terms, 1).allowed()).isTrue();
    }
    assertThat(hit(T + 3 * SECOND, terms, 1).retryAfter()).isEqualTo(428_572);
  }

  @Test
  void a_bucket_keeps_its_debt_in_time_when_its_amount_changes() {
    hit(T, Terms.of(Kind.TOKEN_BUCKET, 10, SECOND), 5);
    assertThat(used(T, Terms.of(Kind.TOKEN_BUCKET, 100, SECOND))).isEqualTo(50);
    assertThat(used(T, Terms.of(Kind.TOKEN_BUCKET, 4, SECOND))).isEqualTo(2);
  }

  @Test
  void a_rest_beyond_the_new_denominator_is_read_as_the_greatest_rest() {
    // Six of 7 per second last 857,142 6/7 us. Of thirds there are at most 2/3, of wholes no rest
    // at all.
    hit(T, Terms.of(Kind.TOKEN_BUCKET, 7, SECOND), 6);
    assertThat(peek(T, Terms.of(Kind.TOKEN_BUCKET, 1, SECOND), 1).decider().resetAfter())
        .isEqualTo(857_142);
    // 857,142 2/3 + 333,333 1/3 - 1,000,000
    assertThat(peek(T, Terms.of(Kind.TOKEN_BUCKET, 3, SECOND), 1).retryAfter()).isEqualTo(190_476);
  }

  @Test
  void an_inc_fills_a_bucket_no_further_than_burst_and_amount_together() {
    Terms terms = Terms.of(Kind.TOKEN_BUCKET, 10, SECOND).burst(20);
    model.inc(T, terms, "a", Long.MAX_VALUE);
    assertThat(used(T, terms)).isEqualTo(30);
    assertThat(hit(T, terms, 1).retryAfter()).isEqualTo(1_100_000);
  }

  @Test
  void a_late_refund_of_a_bucket_gives_back_only_what_has_not_leaked() {
    Terms terms = Terms.of(Kind.TOKEN_BUCKET, 10, SECOND);
    Answer three = hit(T, terms, 3);
    hit(T, terms, 4);
    model.refund(T + 200_000, three); // of its 300 ms 100 are left; the 700 in all became 500
    assertThat(used(T + 200_000, terms)).isEqualTo(4);
    model.refund(T + 200_000, terms, "a", 9);
    assertThat(model.state(T + 200_000, terms, "a").resetAfter()).isZero();
  }

  @Test
  void an_aligned_window_ends_on_the_epochs_grid() {
    Terms terms = Terms.of(Kind.FIXED_WINDOW, 2, 60 * SECOND);
    assertThat(hit(T, terms, 2).decider().resetAfter())
        .isEqualTo(20 * SECOND); // 1,000 s = 16 · 60 + 40
    assertThat(hit(T + 5, terms, 1).retryAfter()).isEqualTo(20 * SECOND - 5);
    assertThat(hit(T + 20 * SECOND - 1, terms, 1).allowed()).isFalse();
    assertThat(hit(T + 20 * SECOND, terms, 1).allowed()).isTrue();
  }

  @Test
  void a_window_per_key_begins_with_its_first_hit_and_a_set_restarts_it() {
    Terms terms = Terms.of(Kind.FIXED_WINDOW_PER_KEY, 2, 60 * SECOND);
    hit(T, terms, 1);
    assertThat(hit(T + SECOND, terms, 1).decider().resetAfter()).isEqualTo(59 * SECOND);
    model.set(T + 2 * SECOND, terms, "a", 0);
    assertThat(model.state(T + 2 * SECOND, terms, "a").resetAfter()).isEqualTo(60 * SECOND);
    assertThat(peek(T + 2 * SECOND, terms, 1).decider().nextAfter())
        .isEqualTo(OptionalLong.empty());
  }

  @Test
  void a_denied_hit_costs_nothing_unless_denied_hits_count() {
    Terms terms = Terms.of(Kind.FIXED_WINDOW_PER_KEY, 2, SECOND);
    hit(T, terms, 2);
    assertThat(hit(T, terms, 1).decider().used()).isEqualTo(2);
    Answer counted = hit(T, terms.countingDenied(), 5);
    assertThat(counted.decider().used()).isEqualTo(7);
    assertThat(counted.decider().remaining()).isZero();
    assertThat(counted.retryAfter()).isEqualTo(Terms.FOREVER);
  }

  @Test
  void a_bucket_owes_no_more_than_capacity_and_amount_for_denied_hits_in_whole_units() {
    Terms terms = Terms.of(Kind.TOKEN_BUCKET, 10, SECOND).countingDenied();
    hit(T, terms, 10);
    Answer counted = hit(T, terms, 7);
    assertThat(counted.retryAfter()).isEqualTo(1_400_000); // of 17 in use 14 must go
    Answer inPart = hit(T + 50_000, terms, 7); // 16.5 in use
    assertThat(inPart.charges().get(0).units()).isEqualTo(3);
    assertThat(inPart.decider().resetAfter()).isEqualTo(1_950_000);
    assertThat(hit(T + 50_000, terms, 7).charges()).isEmpty();
    model.refund(T + 50_000, inPart);
    assertThat(model.state(T + 50_000, terms, "a").resetAfter()).isEqualTo(1_650_000);
  }

  @Test
  void a_quota_takes_of_a_denied_hit_what_is_left() {
    Terms terms = Terms.of(Kind.QUOTA, 5, 0).countingDenied();
    hit(T, terms, 3);
    Answer counted = hit(T, terms, 4);
    assertThat(counted.allowed()).isFalse();
    assertThat(counted.charges().get(0).units()).isEqualTo(2);
    assertThat(hit(T, terms, 4).charges()).isEmpty();
  }

  @Test
  void a_log_keeps_the_stamps_of_admitted_hits_when_denied_ones_are_counted() {
    Terms terms = Terms.of(Kind.SLIDING_LOG, 2, 10 * SECOND).countingDenied();
    Answer admitted = hit(T, terms, 2);
    Answer same = hit(T, terms, 1);
    hit(T + SECOND, terms, 1);
    model.refund(T + SECOND, admitted);
    assertThat(used(T + SECOND, terms)).isEqualTo(2);
    model.refund(T + SECOND, same); // it was merged into the later one
    assertThat(used(T + SECOND, terms)).isEqualTo(2);
    assertThat(used(T + 11 * SECOND, terms)).isZero();
  }

  @Test
  void a_limit_that_had_room_may_be_what_a_refused_call_has_to_wait_for() {
    Terms counting = Terms.of(Kind.TOKEN_BUCKET, 5, 60 * SECOND).countingDenied();
    Terms spent = Terms.of(Kind.FIXED_WINDOW_PER_KEY, 1, SECOND);
    hit(T, spent, 1);
    Answer refused = model.hit(T, List.of(Ask.of(spent, "a", 1), Ask.of(counting, "a", 3)));
    assertThat(refused.limits().get(1).allowed()).isTrue();
    assertThat(refused.deciding()).isEqualTo(1);
    assertThat(refused.retryAfter()).isEqualTo(12 * SECOND);
  }

  @Test
  void a_set_keeps_a_window_of_the_clock_that_lies_ahead() {
    Terms terms = Terms.of(Kind.FIXED_WINDOW, 5, 60 * SECOND);
    long edge = Math.floorDiv(T, 60 * SECOND) * 60 * SECOND + 60 * SECOND;
    hit(edge, terms, 5);
    model.set(edge - 1, terms, "a", 3);
    assertThat(used(edge, terms)).isEqualTo(3);
  }

  @Test
  void a_log_entry_exactly_one_window_old_is_out() {
    Terms terms = Terms.of(Kind.SLIDING_LOG, 3, SECOND);
    hit(T, terms, 1);
    hit(T + 400_000, terms, 2);
    assertThat(hit(T + 500_000, terms, 1).retryAfter()).isEqualTo(500_000);
    assertThat(hit(T + 500_000, terms, 2).retryAfter()).isEqualTo(900_000);
    assertThat(used(T + SECOND - 1, terms)).isEqualTo(3);
    assertThat(used(T + SECOND, terms)).isEqualTo(2);
  }

  @Test
  void a_log_takes_an_inc_beyond_its_limit_into_the_newest_entry() {
    Terms terms = Terms.of(Kind.SLIDING_LOG, 3, SECOND);
    hit(T, terms, 1);
    hit(T + 1, terms, 1);
    model.inc(T + 10, terms, "a", 5);
    assertThat(used(T + SECOND, terms)).isEqualTo(6);
    assertThat(used(T + SECOND + 9, terms)).isEqualTo(6);
    assertThat(used(T + SECOND + 10, terms)).isZero();
  }

  @Test
  void a_log_gives_back_its_newest_units_or_the_entry_of_a_decision() {
    Terms terms = Terms.of(Kind.SLIDING_LOG, 10, SECOND);
    hit(T, terms, 2);
    Answer middle = hit(T + 1, terms, 3);
    hit(T + 2, terms, 4);
    model.refund(T + 3, middle);
    assertThat(used(T + 3, terms)).isEqualTo(6);
    model.refund(T + 3, terms, "a", 5);
    assertThat(model.state(T + 3, terms, "a").resetAfter()).isEqualTo(SECOND - 3);
    assertThat(used(T + 3, terms)).isEqualTo(1);
  }

  @Test
  void a_sliding_counter_weighs_the_bucket_before() {
    Terms terms = Terms.of(Kind.SLIDING_COUNTER, 10, SECOND);
    hit(T, terms, 10);
    assertThat(hit(T, terms, 1).retryAfter())
        .isEqualTo(SECOND + 1); // next bucket: floor(10 · (1 - 1us)) = 9
    assertThat(used(T + SECOND + 250_000, terms)).isEqualTo(7); // floor(7.5)
    assertThat(hit(T + SECOND + 250_000, terms, 3).allowed()).isTrue();
    assertThat(hit(T + SECOND + 250_000, terms, 1).retryAfter())
        .isEqualTo(50_001); // floor(3 + 6.99...) = 9
    assertThat(model.state(T + SECOND + 250_000, terms, "a").resetAfter()).isEqualTo(1_750_000);
  }

  @Test
  void a_sliding_counter_too_large_for_microseconds_counts_in_milliseconds() {
    Terms terms = Terms.of(Kind.SLIDING_COUNTER, 1_000_000, 86_400 * SECOND);
    model.set(T, terms, "a", 86_400_000);
    long next = T + 86_400 * SECOND;
    assertThat(used(next + 999, terms)).isEqualTo(86_400_000);
    assertThat(used(next + 1_000, terms)).isEqualTo(86_399_999);
  }

  @Test
  void a_quota_never_comes_back_by_itself() {
    Terms terms = Terms.of(Kind.QUOTA, 5, 0);
    Answer.Own spent = hit(T, terms, 5).decider();
    assertThat(spent.resetAfter()).isEqualTo(Terms.FOREVER);
    assertThat(spent.nextAfter()).isEqualTo(OptionalLong.of(Terms.FOREVER));
    assertThat(hit(T + 1_000_000 * SECOND, terms, 1).retryAfter()).isEqualTo(Terms.FOREVER);
    model.refund(T, terms, "a", 9);
    assertThat(model.state(T, terms, "a").resetAfter()).isZero();
  }

  @Test
  void a_clock_that_steps_back_by_a_window_refills_nothing_and_waits_from_now() {
    for (Kind kind : List.of(Kind.FIXED_WINDOW_PER_KEY, Kind.SLIDING_LOG)) {
      Terms terms = Terms.of(kind, 2, SECOND);
      hit(T, terms, 2);
      assertThat(hit(T - SECOND, terms, 1).retryAfter()).as(kind.name()).isEqualTo(2 * SECOND);
    }
    Terms bucket = Terms.of(Kind.TOKEN_BUCKET, 2, SECOND);
    hit(T, bucket, 2);
    assertThat(hit(T - SECOND, bucket, 1).retryAfter()).isEqualTo(1_500_000);
    assertThat(used(T - SECOND, bucket)).isEqualTo(4);
  }

  @Test
  void a_clock_that_steps_back_further_blocks_for_one_window_at_most() {
    for (Kind kind : Kind.values()) {
      if (kind != Kind.QUOTA) {
        Terms terms = Terms.of(kind, 2, SECOND);
        hit(T, terms, 2);
        long back = T / 2;
        long wait = hit(back, terms, 1).retryAfter();
        assertThat(wait).as(kind.name()).isBetween(1L, SECOND + 1);
        assertThat(hit(back + wait - 1, terms, 1).allowed()).as(kind.name()).isFalse();
        assertThat(hit(back + wait, terms, 1).allowed()).as(kind.name()).isTrue();
      }
    }
  }

  @Test
  void a_joint_hit_charges_all_or_none_and_the_longest_wait_decides() {
    Terms second = Terms.of(Kind.FIXED_WINDOW_PER_KEY, 1, SECOND);
    Terms minute = Terms.of(Kind.FIXED_WINDOW_PER_KEY, 1, 60 * SECOND);
    Terms hour = Terms.of(Kind.FIXED_WINDOW_PER_KEY, 10, 3_600 * SECOND);
    List<Ask> all = List.of(Ask.of(second, "a", 1), Ask.of(minute, "b", 1), Ask.of(hour, "a", 3));
    assertThat(model.hit(T, all).deciding()).isZero();
    Answer refused = model.hit(T + 10, all);
    assertThat(refused.deciding()).isEqualTo(1);
    assertThat(refused.limits().get(2).allowed()).isTrue();
    assertThat(used(T + 10, hour)).isEqualTo(3);
  }

  @Test
  void a_shadow_never_refuses_and_is_charged_only_where_it_fits() {
    Terms real = Terms.of(Kind.QUOTA, 3, 0);
    Terms shadow = Terms.of(Kind.FIXED_WINDOW, 1, SECOND);
    List<Ask> both = List.of(new Ask(shadow, "a", 1, true), Ask.of(real, "a", 1));
    model.hit(T, both);
    Answer beyondTheShadow = model.hit(T, both);
    assertThat(beyondTheShadow.allowed()).isTrue();
    assertThat(beyondTheShadow.deciding()).isEqualTo(1);
    assertThat(beyondTheShadow.limits().get(0).allowed()).isFalse();
    assertThat(used(T, shadow)).isEqualTo(1);
  }

  @Test
  void a_refused_joint_hit_charges_the_limits_that_count_denied_hits() {
    Terms counting = Terms.of(Kind.FIXED_WINDOW, 5, SECOND).countingDenied();
    Terms spent = Terms.of(Kind.QUOTA, 1, 0);
    hit(T, spent, 1);
    Answer refused = model.hit(T, List.of(Ask.of(counting, "a", 2), Ask.of(spent, "a", 1)));
    assertThat(refused.allowed()).isFalse();
    assertThat(used(T, counting)).isEqualTo(2);
    model.refund(T, refused);
    assertThat(used(T, counting)).isZero();
  }

  @Test
  void a_late_refund_of_a_window_mints_nothing() {
    Terms window = Terms.of(Kind.FIXED_WINDOW_PER_KEY, 5, SECOND);
    Terms counter = Terms.of(Kind.SLIDING_COUNTER, 5, SECOND);
    Answer early = hit(T, window, 2);
    Answer earlyCounter = hit(T, counter, 2);
    hit(T + SECOND, window, 3);
    hit(T + SECOND, counter, 3);
    model.refund(T + SECOND, early);
    model.refund(T + SECOND, earlyCounter);
    assertThat(used(T + SECOND, window)).isEqualTo(3);
    assertThat(used(T + SECOND, counter)).isEqualTo(3); // its two units were in the bucket before
  }

  @Test
  void clean_forgets_what_has_expired() {
    hit(T, Terms.of(Kind.FIXED_WINDOW_PER_KEY, 5, SECOND), 1);
    hit(T, Terms.of(Kind.SLIDING_COUNTER, 5, SECOND), 1);
    hit(T, Terms.of(Kind.QUOTA, 5, 0), 1);
    assertThat(model.clean(T + SECOND - 1)).isZero();
    assertThat(model.clean(T + SECOND)).isEqualTo(1);
    assertThat(model.clean(T + 2 * SECOND)).isEqualTo(1);
  }
}
