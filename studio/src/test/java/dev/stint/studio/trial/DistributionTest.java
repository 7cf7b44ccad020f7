package dev.stint.studio.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Key;
import dev.stint.Limit;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import dev.stint.studio.cli.Span;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistributionTest {

  private record Request(long micros, int key, long cost) {}

  /** What a fixed window refused: whom, and how many units. */
  private record Refused(Set<Integer> keys, long units) {}

  /** Requests of a few keys in bursts and pauses, some of them before 1970. */
  private static List<Request> traffic(long seed, long span, int dearest) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Request> requests = new ArrayList<>();
    long micros = random.nextLong(-10 * span, 1_700_000_000_000_000L);
    for (int i = 0; i < 2_000; i++) {
      micros +=
          random.nextInt(10) == 0 ? random.nextLong(3 * span) : random.nextLong(1 + span / 50);
      requests.add(new Request(micros, random.nextInt(20), random.nextLong(1, dearest + 1)));
    }
    return requests;
  }

  private static Distribution distribution(List<Request> requests, long span) {
    Distribution distribution = new Distribution(span);
    requests.forEach(one -> distribution.add(one.micros, one.key, one.cost));
    return distribution;
  }

  private static Refused refused(List<Request> requests, long span, long amount) {
    VirtualTime time = new VirtualTime(requests.get(0).micros);
    Limit limit = Limit.fixedWindow(amount, Duration.of(span, ChronoUnit.MICROS));
    Set<Integer> keys = new HashSet<>();
    long units = 0;
    try (MemoryStore store = MemoryStore.builder().time(time).build()) {
      for (Request one : requests) {
        time.moveTo(one.micros);
        if (!store.run(Operation.HIT, limit, Key.of(one.key), one.cost).allowed()) {
          keys.add(one.key);
          units += one.cost;
        }
      }
    }
    return new Refused(keys, units);
  }

  @ParameterizedTest
  @ValueSource(longs = {Span.SECOND, 10 * Span.SECOND, Span.MINUTE, 60 * Span.MINUTE})
  void of_requests_of_one_unit_it_knows_what_a_fixed_window_would_do(long span) {
    for (int seed = 0; seed < 10; seed++) {
      List<Request> requests = traffic(seed, span, 1);
      Distribution distribution = distribution(requests, span);
      for (long amount = 1; amount <= 12; amount++) {
        Refused refused = refused(requests, span, amount);
        assertThat(distribution.keysAbove(amount)).isEqualTo(refused.keys.size());
        assertThat(distribution.unitsAbove(amount)).isEqualTo(refused.units);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Span.SECOND, 60 * Span.MINUTE})
  void of_dearer_requests_it_knows_whom_and_at_least_how_much(long span) {
    for (int seed = 0; seed < 10; seed++) {
      List<Request> requests = traffic(seed, span, 7);
      Distribution distribution = distribution(requests, span);
      for (long amount = 1; amount <= 40; amount += 3) {
        Refused refused = refused(requests, span, amount);
        assertThat(distribution.keysAbove(amount)).isEqualTo(refused.keys.size());
        assertThat(distribution.unitsAbove(amount)).isLessThanOrEqualTo(refused.units);
      }
    }
  }

  @Test
  void peaks_and_spans_are_counted_by_their_units() {
    Distribution distribution = new Distribution(Span.SECOND);
    distribution.add(0, 0, 1);
    distribution.add(1, 0, 2);
    distribution.add(1, 1, 1);
    distribution.add(Span.SECOND, 0, 1);
    assertThat(distribution.peaks()).isEqualTo(Map.of(1, 1L, 3, 1L));
    assertThat(distribution.spans()).isEqualTo(Map.of(1, 2L, 3, 1L));
    assertThat(distribution.peakOf(0)).isEqualTo(3);
  }

  @Test
  void enormous_costs_stay_enormous() {
    Distribution distribution = new Distribution(Span.SECOND);
    distribution.add(0, 0, Long.MAX_VALUE);
    distribution.add(1, 0, Long.MAX_VALUE);
    distribution.add(1, 1, 1L + Integer.MAX_VALUE);
    assertThat(distribution.peaks()).isEqualTo(Map.of(Integer.MAX_VALUE, 2L));
    assertThat(distribution.keysAbove(1_000_000)).isEqualTo(2);
    assertThat(distribution.unitsAbove(0)).isEqualTo(2L * Integer.MAX_VALUE);
  }
}
