package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Many at once get no more and no less than one after the other. */
interface ConcurrencyRules {

  Duration A_MINUTE = Duration.ofMinutes(1);

  /** What the tests work with. */
  Bench bench();

  @TestFactory
  default Stream<DynamicTest> of_a_hundred_threads_a_limit_of_five_admits_exactly_five() {
    return Bench.limitsAndQuota(5, A_MINUTE).stream()
        .map(limit -> dynamicTest(limit.toString(), () -> admitsExactlyFive(limit)));
  }

  private void admitsExactlyFive(Limit limit) throws Exception {
    KeyedLimit place = limit.on(Bench.freshKey());
    List<Decision> decisions = bench().together(100, i -> () -> bench().limiter.hit(place));
    assertThat(decisions.stream().filter(Decision::allowed).map(Decision::remaining))
        .containsExactlyInAnyOrder(4L, 3L, 2L, 1L, 0L);
    assertThat(decisions.stream().filter(one -> !one.allowed()).map(Decision::remaining))
        .hasSize(95)
        .containsOnly(0L);
    assertThat(bench().limiter.get(place)).isEqualTo(5);
  }

  @TestFactory
  default Stream<DynamicTest> two_hundred_hits_on_a_key_that_has_just_expired_are_all_counted() {
    return Bench.limits(1000, A_MINUTE).stream()
        .map(limit -> dynamicTest(limit.toString(), () -> countsAllInOneWindow(limit)));
  }

  private void countsAllInOneWindow(Limit limit) throws Exception {
    KeyedLimit place = limit.on(Bench.freshKey());
    for (int round = 0; round < 3; round++) {
      bench().limiter.hit(place.cost(1000));
      Instant expiry = bench().limiter.expiresAt(place).orElseThrow();
      bench().time.set(expiry);
      List<Decision> decisions = bench().together(200, i -> () -> bench().limiter.hit(place));
      assertThat(decisions).allMatch(Decision::allowed);
      assertThat(decisions.stream().map(Decision::used).sorted().toList())
          .isEqualTo(IntStream.rangeClosed(1, 200).mapToObj(Long::valueOf).toList());
      assertThat(bench().limiter.get(place)).isEqualTo(200);
    }
  }

  @TestFactory
  default Stream<DynamicTest> units_charged_and_given_back_by_many_leave_nothing() {
    return Bench.limitsAndQuota(1000, A_MINUTE).stream()
        .map(limit -> dynamicTest(limit.toString(), () -> givesAllBack(limit)));
  }

  private void givesAllBack(Limit limit) throws Exception {
    KeyedLimit place = limit.on(Bench.freshKey());
    bench()
        .together(
            16,
            i ->
                () -> {
                  for (int n = 0; n < 50; n++) {
                    bench().limiter.refund(bench().limiter.hit(place.cost(3)));
                    bench().limiter.inc(place);
                    bench().limiter.refund(place);
                  }
                  return true;
                });
    assertThat(bench().limiter.get(place)).isZero();
  }

  @Test
  default void joint_limits_are_never_half_charged() throws Exception {
    RateLimiter limiter = bench().limiter;
    String tag = Bench.freshKey();
    KeyedLimit user = Limit.slidingLog(40, A_MINUTE).on(Bench.freshKey()).in(tag);
    KeyedLimit address = Limit.tokenBucket(30, A_MINUTE).on(Bench.freshKey()).in(tag);
    KeyedLimit all = Limit.slidingCounter(50, A_MINUTE).on(Bench.freshKey()).in(tag);
    KeyedLimit spent = Limit.fixedWindowPerKey(1, A_MINUTE).on(Bench.freshKey()).in(tag);
    limiter.hit(spent);
    List<List<KeyedLimit>> calls =
        List.of(
            List.of(user, address, all),
            List.of(all, address, user),
            List.of(address, user, all),
            List.of(all, user, spent));
    List<Boolean> allowed =
        bench()
            .together(
                100,
                i -> {
                  KeyedLimit[] call = calls.get(i % 4).toArray(KeyedLimit[]::new);
                  return () -> limiter.hit(call).allowed();
                });
    assertThat(allowed.stream().filter(one -> one)).hasSize(30);
    assertThat(limiter.get(user)).isEqualTo(30);
    assertThat(limiter.get(address)).isEqualTo(30);
    assertThat(limiter.get(all)).isEqualTo(30);
    assertThat(limiter.get(spent)).isEqualTo(1);
  }

  @Test
  default void single_and_joint_hits_on_one_key_share_its_units() throws Exception {
    RateLimiter limiter = bench().limiter;
    KeyedLimit one = Limit.tokenBucket(25, A_MINUTE).on(Bench.freshKey());
    KeyedLimit other = Limit.fixedWindowPerKey(1000, A_MINUTE).on(Bench.freshKey());
    List<Boolean> allowed =
        bench()
            .together(
                100,
                i ->
                    i % 2 == 0
                        ? () -> limiter.hit(one).allowed()
                        : () -> limiter.hit(other, one).allowed());
    long joint = IntStream.range(0, 100).filter(i -> i % 2 == 1 && allowed.get(i)).count();
    assertThat(allowed.stream().filter(yes -> yes)).hasSize(25);
    assertThat(limiter.get(one)).isEqualTo(25);
    assertThat(limiter.get(other)).isEqualTo(joint);
  }

  @Test
  default void futures_admit_no_more_than_threads_do() {
    KeyedLimit place = Limit.tokenBucket(5, A_MINUTE).on(Bench.freshKey());
    List<CompletableFuture<Decision>> futures =
        Stream.generate(() -> bench().limiter.hitAsync(place).toCompletableFuture())
            .limit(100)
            .toList();
    assertThat(futures.stream().filter(one -> one.join().allowed())).hasSize(5);
  }

  @TestFactory
  default Stream<DynamicTest> ten_thousand_hits_return_while_the_clock_stands_still() {
    return Bench.limitsAndQuota(5000, A_MINUTE).stream()
        .map(limit -> dynamicTest(limit.toString(), () -> returnsOnAFrozenClock(limit)));
  }

  private void returnsOnAFrozenClock(Limit limit) {
    KeyedLimit place = limit.on(Bench.freshKey());
    long admitted =
        assertTimeoutPreemptively(
            A_MINUTE,
            () ->
                IntStream.range(0, 10_000)
                    .filter(i -> bench().limiter.hit(place).allowed())
                    .count());
    assertThat(admitted).isEqualTo(5000);
    assertThat(bench().limiter.get(place)).isEqualTo(5000);
  }
}
