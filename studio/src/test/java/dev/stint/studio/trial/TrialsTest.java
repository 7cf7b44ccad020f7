package dev.stint.studio.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import dev.stint.studio.cli.Span;
import dev.stint.testkit.ManualTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TrialsTest {

  private static final long START = 1_767_225_600_000_000L;
  private static final List<Limit> LIMITS = Limit.parseAll("5/second");

  private static Trials trials(List<Limit> limits, String algorithm) {
    return new Trials(
        Plan.of(limits, List.of(algorithm)), START, Span.SECOND, List.of(Span.SECOND));
  }

  /** Requests of eight keys over a minute, some of them greedy. */
  private static void traffic(Requests told) {
    SplittableRandom random = new SplittableRandom(7);
    long now = START;
    for (int i = 0; i < 20_000; i++) {
      now += random.nextLong(6_000);
      told.request(now, Math.min(random.nextInt(8), random.nextInt(8)), 1 + random.nextInt(2));
    }
  }

  private interface Requests {
    void request(long micros, int key, long cost);
  }

  @Test
  void every_decision_is_the_librarys() {
    for (List<Limit> limits : List.of(LIMITS, Limit.parseAll("5/second; 60/minute"))) {
      Trials trials = trials(limits, "all");
      traffic(trials::request);
      for (Trial trial : trials.all()) {
        ManualTime time = ManualTime.create();
        Map<Integer, Integer> refused = new HashMap<>();
        RateLimiter limiter =
            RateLimiter.of(
                MemoryStore.builder().time(time).build(),
                trial.plan().limits().toArray(new Limit[0]));
        traffic(
            (micros, key, cost) -> {
              time.setMicros(micros);
              if (!limiter.hit("client " + key, cost).allowed()) {
                refused.merge(key, 1, Integer::sum);
              }
            });
        assertThat(refused).isNotEmpty();
        refused.forEach((key, times) -> assertThat(trial.refusedOf(key)).isEqualTo(times));
        assertThat(trial.refused())
            .isEqualTo(refused.values().stream().mapToInt(Integer::intValue).sum());
        assertThat(trial.keysRefused()).isEqualTo(refused.size());
      }
    }
  }

  @Test
  void the_log_is_the_measure_and_has_nothing_against_itself() {
    Trials trials = trials(LIMITS, "all");
    traffic(trials::request);
    for (Trial trial : trials.all()) {
      boolean exact = trial.plan().isExact();
      assertThat(trial.unneeded() == 0 && trial.missed() == 0)
          .as(trial.plan().name())
          .isEqualTo(exact);
    }
  }

  @Test
  void a_fixed_window_passes_twice_its_amount_around_an_edge_and_the_log_tells() {
    Trials trials = trials(LIMITS, "fixed-window");
    for (int i = 0; i < 10; i++) {
      trials.request(START + 950_000 + i * 10_000L, 0, 1); // five before the edge, five after
    }
    Trial trial = trials.all().get(0);
    assertThat(trial.refused()).isZero();
    assertThat(trial.missed()).isEqualTo(5);
    assertThat(trial.unneeded()).isZero();
    assertThat(trial.worstSecond()).isEqualTo(10);
    assertThat(trial.worstMinute()).isEqualTo(10);
  }

  @Test
  void admitted_and_refused_over_time_are_what_arrived() {
    Trials trials = trials(LIMITS, "all");
    traffic(trials::request);
    Timeline arrived = trials.arrivedOverTime();
    for (Trial trial : trials.all()) {
      for (int i = 0; i < arrived.size(); i++) {
        assertThat(trial.admittedOverTime().at(i) + trial.refusedOverTime().at(i))
            .isEqualTo(arrived.at(i));
      }
    }
  }

  @Test
  void what_is_known_of_a_key_is_how_often_and_how_it_came() {
    Trials trials = trials(LIMITS, "token-bucket");
    trials.request(START, 0, 1);
    for (int i = 0; i < 300; i++) {
      trials.request(START + i * Span.SECOND / 2, 1, 1);
    }
    assertThat(trials.population().keys()).isEqualTo(2);
    assertThat(trials.population().patternOf(0)).isEqualTo("once");
    assertThat(trials.population().patternOf(1)).isEqualTo("steady, 2.0 a second");
  }
}
