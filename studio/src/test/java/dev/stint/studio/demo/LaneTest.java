package dev.stint.studio.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.studio.cli.Span;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LaneTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static Lane replay(Scenario scenario, Limit limit) {
    long window = limit.window().toNanos() / 1000;
    return Lane.replay(limit, scenario.traffic(limit.amount(), window).toArray());
  }

  private static long worstWindow(Scenario scenario, Limit limit) {
    return replay(scenario, limit).worst(limit.window().toNanos() / 1000);
  }

  @Test
  void a_burst_at_the_edge_gets_twice_the_amount_from_a_fixed_window_within_a_second() {
    Lane lane = replay(Scenario.EDGE, Limit.fixedWindow(100, MINUTE));
    assertThat(lane.worst(Span.MINUTE)).isEqualTo(200);
    assertThat(lane.worst(Span.SECOND)).isEqualTo(200);
  }

  @Test
  void a_burst_at_the_edge_of_the_clock_gets_nothing_extra_from_a_window_per_key() {
    Lane lane = replay(Scenario.EDGE, Limit.fixedWindowPerKey(100, MINUTE));
    assertThat(lane.worst(Span.SECOND)).isEqualTo(100);
  }

  @Test
  void an_attacker_gets_all_but_twice_the_amount_from_both_fixed_windows() {
    assertThat(worstWindow(Scenario.ATTACKER, Limit.fixedWindow(100, MINUTE))).isEqualTo(199);
    assertThat(worstWindow(Scenario.ATTACKER, Limit.fixedWindowPerKey(100, MINUTE))).isEqualTo(199);
  }

  @Test
  void an_attacker_gets_half_as_much_again_from_a_sliding_counter() {
    assertThat(worstWindow(Scenario.ATTACKER, Limit.slidingCounter(100, MINUTE))).isEqualTo(150);
  }

  @ParameterizedTest
  @EnumSource
  void nobody_gets_more_than_the_amount_from_a_sliding_log(Scenario scenario) {
    for (long amount : new long[] {1, 2, 7, 100, 5000}) {
      assertThat(worstWindow(scenario, Limit.slidingLog(amount, MINUTE))).isEqualTo(amount);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobody_gets_more_than_burst_and_refill_from_a_token_bucket(Scenario scenario) {
    for (long burst : new long[] {1, 20, 100}) {
      Lane lane = replay(scenario, Limit.tokenBucket(100, MINUTE).burst(burst));
      assertThat(lane.worst(Span.MINUTE)).isBetween(burst, burst + 100);
      assertThat(lane.worst(Span.SECOND)).isLessThanOrEqualTo(burst + 2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_leaky_bucket_admits_the_same_hits_as_a_token_bucket(Scenario scenario) {
    Lane token = replay(scenario, Limit.tokenBucket(100, MINUTE).burst(30));
    Lane leaky = replay(scenario, Limit.leakyBucket(100, MINUTE).burst(30));
    assertThat(leaky.admitted()).isEqualTo(token.admitted());
    assertThat(leaky.refused()).isEqualTo(token.refused());
  }

  @Test
  void steady_traffic_of_twice_the_rate_has_every_other_hit_refused_once_the_burst_is_spent() {
    Lane lane = replay(Scenario.STEADY, Limit.tokenBucket(100, MINUTE));
    long from = 2 * Span.MINUTE;
    assertThat(count(lane.admitted(), from)).isEqualTo(count(lane.refused(), from)).isEqualTo(100);
  }

  private static long count(long[] times, long from) {
    return LongStream.of(times).filter(time -> time >= from).count();
  }

  @ParameterizedTest
  @EnumSource
  void every_hit_is_either_admitted_or_refused(Scenario scenario) {
    Limit limit = Limit.slidingCounter(7, Duration.ofMillis(10));
    Lane lane = replay(scenario, limit);
    long[] both =
        LongStream.concat(LongStream.of(lane.admitted()), LongStream.of(lane.refused()))
            .sorted()
            .toArray();
    assertThat(both).isEqualTo(scenario.traffic(7, 10_000).toArray());
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "999999, 2", "1000000, 1"})
  void what_is_exactly_one_span_old_is_out(long second, long worst) {
    long[] times = second == 0 ? new long[] {0} : new long[] {0, second};
    assertThat(lane(times).worst(Span.SECOND)).isEqualTo(worst);
  }

  @Test
  void the_worst_span_is_the_one_that_counting_every_span_finds() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 200; round++) {
      long[] times = random.longs(random.nextInt(0, 40), 0, 100).sorted().toArray();
      long span = random.nextLong(1, 120);
      long counted = 0;
      for (long end = 0; end < 100; end++) {
        long last = end;
        counted =
            Math.max(
                counted, LongStream.of(times).filter(t -> t > last - span && t <= last).count());
      }
      assertThat(lane(times).worst(span)).isEqualTo(counted);
    }
  }

  private static Lane lane(long[] admitted) {
    return new Lane(Limit.slidingLog(1, MINUTE), admitted, new long[0]);
  }
}
