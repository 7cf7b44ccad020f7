package dev.stint.promises;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AdmissionsTest {

  private static Admissions of(long... pairs) {
    Admissions admissions = new Admissions();
    for (int i = 0; i < pairs.length; i += 2) {
      admissions.add(pairs[i], pairs[i + 1]);
    }
    return admissions;
  }

  @Test
  void counts_what_certainly_lies_in_one_span() {
    assertThat(of().densest(10)).isZero();
    assertThat(of(0, 0, 9, 9, 10, 10).densest(10)).isEqualTo(2);
    assertThat(of(0, 0, 9, 9, 10, 10).densest(11)).isEqualTo(3);
    assertThat(of(5, 5, 5, 5, 5, 6).densest(1)).isEqualTo(2);
  }

  @Test
  void an_admission_that_may_lie_outside_does_not_count() {
    assertThat(of(0, 10).densest(10)).isZero();
    assertThat(of(0, 9).densest(10)).isEqualTo(1);
    assertThat(of(0, 3, 2, 100, 4, 6).densest(10)).isEqualTo(2);
  }

  @Test
  void agrees_with_trying_every_span() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 300; round++) {
      int count = random.nextInt(40);
      long[] pairs = new long[2 * count];
      for (int i = 0; i < count; i++) {
        pairs[2 * i] = random.nextLong(60);
        pairs[2 * i + 1] = pairs[2 * i] + random.nextLong(25);
      }
      long span = 1 + random.nextLong(30);
      int most = 0;
      for (long start = 0; start < 90; start++) {
        int inside = 0;
        for (int i = 0; i < count; i++) {
          inside += pairs[2 * i] >= start && pairs[2 * i + 1] < start + span ? 1 : 0;
        }
        most = Math.max(most, inside);
      }
      assertThat(Admissions.of(List.of(of(), of(pairs))).densest(span)).isEqualTo(most);
    }
  }
}
