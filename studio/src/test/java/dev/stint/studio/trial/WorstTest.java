package dev.stint.studio.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WorstTest {

  private static final long SPAN = 1_000_000;

  @Test
  void a_window_lies_anywhere_and_what_is_a_span_old_is_out() {
    Worst worst = new Worst(SPAN);
    worst.add(900_000, 5);
    worst.add(1_100_000, 5);
    assertThat(worst.most()).isEqualTo(10);
    worst.add(1_900_000, 4);
    worst.add(2_100_000, 1);
    assertThat(worst.most()).isEqualTo(10);
  }

  @Test
  void it_is_the_most_of_all_windows_that_end_with_a_request() {
    SplittableRandom random = new SplittableRandom(3);
    Worst worst = new Worst(SPAN);
    long[] times = new long[2_000];
    long now = 0;
    for (int i = 0; i < times.length; i++) {
      now += 1_000 * random.nextLong(i % 100 == 0 ? 3_000 : 20);
      times[i] = now;
      worst.add(now, 1);
    }
    int most = 0;
    for (int last = 0; last < times.length; last++) {
      int within = 0;
      for (int i = last; i >= 0 && times[i] > times[last] - SPAN; i--) {
        within++;
      }
      most = Math.max(most, within);
    }
    assertThat(worst.most()).isEqualTo(most);
  }
}
