package dev.stint.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallsTest {

  private static Stalls stalls(long... edges) {
    Stalls stalls = new Stalls();
    for (int i = 0; i < edges.length; i += 2) {
      stalls.add(edges[i], edges[i + 1]);
    }
    return stalls;
  }

  @Test
  void the_longest_is_the_longest() {
    assertThat(stalls(0, 10, 20, 50, 60, 61).longest()).isEqualTo(30);
    assertThat(stalls().longest()).isZero();
  }

  @Test
  void what_others_suffered_at_the_same_time_is_taken_off() {
    assertThat(stalls(0, 100).longestNetOf(stalls(20, 50))).isEqualTo(70);
    assertThat(stalls(0, 100).longestNetOf(stalls(-50, 30, 90, 500))).isEqualTo(60);
    assertThat(stalls(0, 100).longestNetOf(stalls(100, 200))).isEqualTo(100);
  }

  @Test
  void what_two_others_suffered_at_the_same_time_is_taken_off_once() {
    assertThat(stalls(0, 100).longestNetOf(stalls(20, 60, 40, 80))).isEqualTo(40);
    assertThat(stalls(0, 100).longestNetOf(stalls(40, 50, 20, 80))).isEqualTo(40);
  }

  @Test
  void the_longest_net_need_not_be_the_longest() {
    assertThat(stalls(0, 100, 200, 230).longestNetOf(stalls(0, 90))).isEqualTo(30);
  }
}
