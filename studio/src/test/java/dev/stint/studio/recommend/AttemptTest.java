package dev.stint.studio.recommend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.studio.cli.Span;
import dev.stint.studio.trial.Distribution;
import dev.stint.studio.trial.Plan;
import dev.stint.studio.trial.Trial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AttemptTest {

  private static final long START = 1_700_000_000_000_000L;
  private static final int KEYS = 30;

  private record Request(long micros, int key, long cost) {}

  /** Bursts around the edges of spans and a quarter beside them, where windows see most. */
  private static List<Request> traffic(SplittableRandom random) {
    List<Request> requests = new ArrayList<>();
    long micros = START;
    for (int i = 0; i < 3_000; i++) {
      micros += random.nextInt(8) == 0 ? random.nextLong(Span.SECOND / 4) : random.nextLong(10_000);
      int busiest = 1 + random.nextInt(KEYS);
      requests.add(new Request(micros, random.nextInt(busiest), random.nextLong(1, 4)));
    }
    return requests;
  }

  @ParameterizedTest
  @EnumSource(
      value = Limit.Kind.class,
      names = {"QUOTA"},
      mode = EnumSource.Mode.EXCLUDE)
  void clients_that_are_not_asked_about_would_not_have_been_refused(Limit.Kind kind) {
    long skipped = 0;
    for (int seed = 0; seed < 20; seed++) {
      List<Request> requests = traffic(new SplittableRandom(seed));
      Distribution use = new Distribution(Span.SECOND);
      requests.forEach(one -> use.add(one.micros, one.key, one.cost));
      for (long amount = 3; amount <= 60; amount += 3) {
        Plan plan =
            Plan.of(List.of(Limit.tokenBucket(amount, Duration.ofSeconds(1))), List.of(kind.word()))
                .get(0);
        try (Attempt attempt = new Attempt(use, plan.limits().get(0), START, new BitSet(), KEYS);
            Trial all = new Trial(plan, START, Span.SECOND, 2)) {
          for (Request one : requests) {
            attempt.request(one.micros, one.key, one.cost);
            all.hit(one.micros, one.key, one.cost);
          }
          assertThat(attempt.result().refused()).isEqualTo(all.refused());
          assertThat(attempt.result().whom().cardinality()).isEqualTo((int) all.keysRefused());
          skipped += KEYS - attempt.asked();
        }
      }
    }
    assertThat(skipped).isGreaterThan(100);
  }

  /** The worst that was thought of: three bursts, each in a span of the clock of its own. */
  @ParameterizedTest
  @EnumSource(
      value = Limit.Kind.class,
      names = {"QUOTA"},
      mode = EnumSource.Mode.EXCLUDE)
  void three_times_the_busiest_span_is_never_refused(Limit.Kind kind) {
    for (int offset = 0; offset < 100; offset++) {
      List<Request> requests = new ArrayList<>();
      long first = START + offset * Span.SECOND / 100;
      for (long moment : new long[] {first, START + 2 * Span.SECOND - 1, START + 2 * Span.SECOND}) {
        for (int i = 0; i < 5; i++) {
          requests.add(new Request(moment, 0, 1));
        }
      }
      Plan plan =
          Plan.of(List.of(Limit.tokenBucket(15, Duration.ofSeconds(1))), List.of(kind.word()))
              .get(0);
      try (Trial trial = new Trial(plan, START, Span.SECOND, 2)) {
        requests.forEach(one -> trial.hit(one.micros, one.key, one.cost));
        assertThat(trial.refused()).isZero();
      }
    }
  }
}
