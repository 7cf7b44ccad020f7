package dev.stint.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Limit.Kind;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A limit is a value, within bounds that every store can keep. */
class LimitTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration FIFTY_YEARS = Duration.ofDays(50 * 365);
  private static final long MOST = 1L << 52;

  private static void refuses(ThrowingCallable call, String sentence) {
    assertThatThrownBy(call)
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(sentence);
  }

  @Test
  void an_amount_is_at_least_one() {
    for (long amount : new long[] {0, -1, Long.MIN_VALUE}) {
      String sentence = "limit must be at least 1: " + amount;
      refuses(() -> Limit.fixedWindow(amount, MINUTE), sentence);
      refuses(() -> Limit.fixedWindowPerKey(amount, MINUTE), sentence);
      refuses(() -> Limit.slidingLog(amount, MINUTE), sentence);
      refuses(() -> Limit.slidingCounter(amount, MINUTE), sentence);
      refuses(() -> Limit.tokenBucket(amount, MINUTE), sentence);
      refuses(() -> Limit.leakyBucket(amount, MINUTE), sentence);
      refuses(() -> Limit.quota(amount), sentence);
      refuses(
          () -> Limit.tokenBucket(1, MINUTE).burst(amount), "burst must be at least 1: " + amount);
    }
  }

  @Test
  void an_amount_is_at_most_what_every_store_can_count() {
    assertThat(Limit.fixedWindow(MOST, MINUTE).amount()).isEqualTo(MOST);
    assertThat(Limit.tokenBucket(MOST, MINUTE).burst(MOST).capacity()).isEqualTo(MOST);
    assertThat(Limit.quota(MOST).capacity()).isEqualTo(MOST);
    String sentence = "limit must be at most 4503599627370496: 4503599627370497";
    refuses(() -> Limit.fixedWindow(MOST + 1, MINUTE), sentence);
    refuses(() -> Limit.tokenBucket(MOST + 1, MINUTE), sentence);
    refuses(() -> Limit.quota(MOST + 1), sentence);
    refuses(
        () -> Limit.tokenBucket(1, MINUTE).burst(MOST + 1),
        "burst must be at most 4503599627370496: 4503599627370497");
  }

  @Test
  void a_log_holds_at_most_a_million() {
    assertThat(Limit.slidingLog(1_000_000, MINUTE).amount()).isEqualTo(1_000_000);
    refuses(() -> Limit.slidingLog(1_000_001, MINUTE), "limit must be at most 1000000: 1000001");
  }

  @Test
  void a_window_is_whole_microseconds_from_one_to_fifty_years() {
    assertThat(Limit.tokenBucket(1, Duration.ofNanos(1000)).window()).hasToString("PT0.000001S");
    assertThat(Limit.fixedWindow(1, FIFTY_YEARS).window()).isEqualTo(FIFTY_YEARS);
    refuses(() -> Limit.fixedWindow(1, null), "window must be longer than zero: null");
    refuses(() -> Limit.fixedWindow(1, Duration.ZERO), "window must be longer than zero: PT0S");
    refuses(
        () -> Limit.tokenBucket(1, Duration.ofSeconds(-1)),
        "window must be longer than zero: PT-1S");
    refuses(
        () -> Limit.slidingLog(1, Duration.ofNanos(1500)),
        "window must be whole microseconds: PT0.0000015S");
    refuses(
        () -> Limit.fixedWindow(1, FIFTY_YEARS.plusNanos(1000)),
        "window must be at most 50 years (PT438000H): PT438000H0.000001S");
    refuses(
        () -> Limit.slidingCounter(1, Duration.ofSeconds(Long.MAX_VALUE)),
        "window must be at most 50 years (PT438000H): " + Duration.ofSeconds(Long.MAX_VALUE));
  }

  @Test
  void a_counter_is_small_enough_to_be_exact() {
    long largest = ((1L << 53) - 1) / 86_400;
    assertThat(Limit.slidingCounter(largest, Duration.ofDays(1)).amount()).isEqualTo(largest);
    refuses(
        () -> Limit.slidingCounter(largest + 1, Duration.ofDays(1)),
        "limit times window of a sliding-counter must be below 2^53 in whole microseconds,"
            + " milliseconds or seconds: 104249991375 per PT24H; use a token-bucket for a limit of"
            + " this size");
    assertThat(Limit.slidingCounter(9_000_000_000L, Duration.ofSeconds(1)).amount()).isPositive();
    refuses(
        () -> Limit.slidingCounter(9_100_000_000L, Duration.ofSeconds(1).plusNanos(1000)),
        "limit times window of a sliding-counter must be below 2^53 in whole microseconds,"
            + " milliseconds or seconds: 9100000000 per PT1.000001S; use a token-bucket for a limit"
            + " of this size");
  }

  @Test
  void a_bucket_refills_within_a_hundred_years() {
    Limit slow = Limit.tokenBucket(1, FIFTY_YEARS);
    assertThat(slow.capacity()).isEqualTo(1);
    refuses(() -> slow.burst(2), "burst must refill within 100 years: burst 2 at 1 per PT438000H");
  }

  @Test
  void settings_go_with_the_algorithms_that_have_them() {
    for (Limit limit :
        List.of(
            Limit.fixedWindow(1, MINUTE),
            Limit.fixedWindowPerKey(1, MINUTE),
            Limit.slidingLog(1, MINUTE),
            Limit.slidingCounter(1, MINUTE),
            Limit.quota(1))) {
      refuses(
          () -> limit.burst(2),
          "burst is for token-bucket and leaky-bucket, not for " + limit.kind().word());
    }
  }

  @Test
  void every_algorithm_can_count_denied_hits_in_the_same_place_as_without() {
    for (Limit limit :
        List.of(
            Limit.fixedWindow(1, MINUTE),
            Limit.fixedWindowPerKey(1, MINUTE),
            Limit.slidingLog(1, MINUTE),
            Limit.slidingCounter(1, MINUTE),
            Limit.tokenBucket(1, MINUTE).burst(5),
            Limit.leakyBucket(1, MINUTE),
            Limit.quota(1))) {
      Limit counting = limit.countingDenied();
      assertThat(counting.countsDenied()).isTrue();
      assertThat(counting.algorithm().countsDenied()).isTrue();
      assertThat(counting.identity()).isEqualTo(limit.identity());
      assertThat(counting.capacity()).isEqualTo(limit.capacity());
      assertThat(counting).isNotEqualTo(limit);
    }
  }

  @Test
  void a_name_is_made_of_a_few_characters() {
    Limit limit = Limit.quota(1);
    assertThat(limit.named("Az09_.-").name()).isEqualTo("Az09_.-");
    assertThat(limit.named("n".repeat(64)).name()).hasSize(64);
    String must = "name must be 1 to 64 of the characters A-Z a-z 0-9 _ . -: ";
    refuses(() -> limit.named(null), must + "null");
    refuses(() -> limit.named(""), must + "\"\"");
    refuses(() -> limit.named("a b"), must + "\"a b\"");
    refuses(() -> limit.named("a:b"), must + "\"a:b\"");
    refuses(() -> limit.named("a\r\nb"), must + "\"a\\u000d\\u000ab\"");
    refuses(() -> limit.named("é"), must + "\"é\"");
    refuses(
        () -> limit.named("n".repeat(65)), must + '"' + "n".repeat(64) + "... (65 characters)\"");
  }

  @Test
  void equal_limits_are_equal_in_everything() {
    Limit limit = Limit.tokenBucket(5, MINUTE).burst(9).named("a");
    assertThat(limit)
        .isEqualTo(Limit.parse("5/minute burst 9 named a"))
        .hasSameHashCodeAs(Limit.parse("5/minute burst 9 named a"))
        .isNotEqualTo(Limit.leakyBucket(5, MINUTE).burst(9).named("a"))
        .isNotEqualTo(Limit.tokenBucket(6, MINUTE).burst(9).named("a"))
        .isNotEqualTo(Limit.tokenBucket(5, Duration.ofSeconds(61)).burst(9).named("a"))
        .isNotEqualTo(Limit.tokenBucket(5, MINUTE).burst(8).named("a"))
        .isNotEqualTo(Limit.tokenBucket(5, MINUTE).burst(9).named("b"))
        .isNotEqualTo(Limit.tokenBucket(5, MINUTE).burst(9))
        .isNotEqualTo("5/minute burst 9 named a")
        .isNotEqualTo(null);
    assertThat(Limit.fixedWindow(5, MINUTE))
        .isNotEqualTo(Limit.fixedWindow(5, MINUTE).countingDenied());
  }

  @Test
  void a_limit_tells_its_numbers() {
    Limit window = Limit.fixedWindow(5, MINUTE).countingDenied();
    assertThat(window.kind()).isEqualTo(Kind.FIXED_WINDOW);
    assertThat(window.countsDenied()).isTrue();
    assertThat(window.capacity()).isEqualTo(5);
    assertThat(window.name()).isEmpty();
    assertThat(Limit.quota(3).window()).isEqualTo(Decision.NEVER);
    assertThat(Limit.tokenBucket(5, MINUTE).capacity()).isEqualTo(5);
  }

  @Test
  void a_limit_on_a_key_tells_what_it_is_about() {
    KeyedLimit one = Limit.quota(3).on("k").cost(2).shadow().in("acme");
    assertThat(one).hasToString("3 total on k cost 2 shadow in acme");
    assertThat(one.limit()).isEqualTo(Limit.quota(3));
    assertThat(one.key()).isEqualTo(Key.of("k"));
    assertThat(one.cost()).isEqualTo(2);
    assertThat(one.isShadow()).isTrue();
    assertThat(one.tag()).isEqualTo("acme");
  }

  @Test
  void keys_of_three_kinds_are_equal_only_among_their_own() {
    assertThat(Key.of("7")).isEqualTo(Key.of("7")).hasSameHashCodeAs(Key.of("7")).hasToString("7");
    assertThat(Key.of(7)).isEqualTo(Key.of(7)).isNotEqualTo(Key.of("7")).hasToString("7");
    assertThat(Key.of(new byte[] {'7'}))
        .isEqualTo(Key.of(new byte[] {'7'}))
        .isNotEqualTo(Key.of("7"))
        .isNotEqualTo(Key.of(7))
        .hasToString("37");
  }
}
