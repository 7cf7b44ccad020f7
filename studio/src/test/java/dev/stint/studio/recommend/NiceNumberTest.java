package dev.stint.studio.recommend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class NiceNumberTest {

  @Test
  void they_are_the_ones_that_people_choose() {
    assertThat(LongStream.iterate(1, n -> n < 1_500, n -> NiceNumber.from(n + 1)))
        .containsExactly(
            1L, 2L, 3L, 4L, 5L, 6L, 8L, 10L, 12L, 15L, 20L, 25L, 30L, 40L, 50L, 60L, 80L, 100L,
            120L, 150L, 200L, 250L, 300L, 400L, 500L, 600L, 800L, 1000L, 1200L);
  }

  @Test
  void three_times_as_much_is_six_further_at_most() {
    for (long n = 1; n < 1_000_000; n = NiceNumber.from(n + 1)) {
      long further = n;
      for (int i = 0; i < 6; i++) {
        further = NiceNumber.from(further + 1);
      }
      assertThat(further).isGreaterThanOrEqualTo(3 * n);
    }
  }

  @Test
  void the_largest_amounts_have_one_too() {
    assertThat(NiceNumber.from(Integer.MAX_VALUE)).isEqualTo(2_500_000_000L);
  }
}
