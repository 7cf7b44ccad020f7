package dev.stint.studio.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However requests are given, one by one or many, on one thread or several: the same comes out. */
class BatchesTest {

  private static final int SIZE = 30_000;
  private static final long START = 1_767_225_600_000_000L;

  private final long[] micros = new long[SIZE];
  private final int[] keys = new int[SIZE];
  private final long[] costs = new long[SIZE];

  private void fill(int mostCost) {
    SplittableRandom random = new SplittableRandom(9);
    long now = START;
    for (int i = 0; i < SIZE; i++) {
      now += random.nextInt(20_000);
      micros[i] = now;
      keys[i] = (int) (300 * Math.pow(random.nextDouble(), 4));
      costs[i] = 1L + random.nextInt(mostCost);
    }
  }

  private static String told(Trials trials) {
    List<String> told = new ArrayList<>();
    for (Trial one : trials.all()) {
      told.add(
          "%s refused %d of %d from %d, %d %d, %d %d, %s"
              .formatted(
                  one.plan().name(),
                  one.refused(),
                  one.requests(),
                  one.keysRefused(),
                  one.unneeded(),
                  one.missed(),
                  one.worstSecond(),
                  one.worstMinute(),
                  trials.population().patternOf(0)));
    }
    return String.join("\n", told);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10/min", "10/s", "10/min;3/s"})
  void several_at_once_are_decided_as_one_by_one(String rates) {
    fill(rates.length() % 3 + 1);
    for (List<String> algorithms : List.of(List.of("all"), List.of("token-bucket"))) {
      List<Plan> plans = Plan.of(Limit.parseAll(rates), algorithms);
      try (Trials one = new Trials(plans, START, 1_000_000, List.of());
          Trials many = new Trials(plans, START, 1_000_000, List.of(), 3)) {
        for (int i = 0; i < SIZE; i++) {
          one.request(micros[i], keys[i], costs[i]);
        }
        many.requests(micros, keys, costs, SIZE);
        assertThat(told(many)).isEqualTo(told(one)).contains("refused");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void the_yardstick_is_the_sliding_log_of_the_store(int mostCost) {
    fill(mostCost);
    Plan plan = new Plan("sliding-log", Limit.parseAll("10/min")).exact();
    Yardstick yardstick = new Yardstick(plan, START, 1_000_000);
    int refused = 0;
    try (Trial store = new Trial(plan, START, 1_000_000, Trials.COLUMNS)) {
      for (int i = 0; i < SIZE; i++) {
        boolean allowed = store.hit(micros[i], keys[i], costs[i]);
        assertThat(yardstick.allows(micros[i], keys[i], costs[i])).isEqualTo(allowed);
        refused += allowed ? 0 : 1;
      }
    }
    assertThat(refused).isBetween(1000, SIZE - 1000);
  }
}
