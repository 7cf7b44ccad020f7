package dev.stint.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ZipfTest {

  private static final int RANKS = 1_000;
  private static final int DRAWS = 2_000_000;

  private static int[] draw(double s) {
    Zipf zipf = new Zipf(RANKS, s);
    SplittableRandom random = new SplittableRandom(1);
    int[] counts = new int[RANKS];
    for (int i = 0; i < DRAWS; i++) {
      counts[(int) zipf.next(random)]++;
    }
    return counts;
  }

  @Test
  void rank_k_comes_a_kth_as_often_as_the_first() {
    int[] counts = draw(1.0);
    double harmonic = 0;
    for (int k = 1; k <= RANKS; k++) {
      harmonic += 1.0 / k;
    }
    for (int k : new int[] {1, 2, 3, 10, 100}) {
      double expected = DRAWS / (k * harmonic);
      assertThat((double) counts[k - 1])
          .as("rank %d", k)
          .isCloseTo(expected, within(5 * Math.sqrt(expected)));
    }
  }

  @Test
  void the_rare_half_comes_as_often_as_its_weight() {
    int[] counts = draw(1.0);
    double rare = 0;
    double all = 0;
    int drawn = 0;
    for (int k = 0; k < RANKS; k++) {
      all += 1.0 / (k + 1);
      if (k >= RANKS / 2) {
        rare += 1.0 / (k + 1);
        drawn += counts[k];
      }
    }
    assertThat(drawn / (double) DRAWS).isCloseTo(rare / all, within(0.001));
  }

  @Test
  void exponent_zero_is_uniform() {
    for (int count : draw(0)) {
      assertThat((double) count).isCloseTo(DRAWS / (double) RANKS, within(250.0));
    }
  }

  @Test
  void no_ranks_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Zipf(0, 1))
        .withMessage("ranks must be at least 1: 0");
  }
}
