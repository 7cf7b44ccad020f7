package dev.stint.studio.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimelineTest {

  private final Timeline timeline = new Timeline(1_000, 10, 4);

  private long[] columns() {
    return IntStream.range(0, timeline.size()).mapToLong(timeline::at).toArray();
  }

  @Test
  void counts_in_columns_of_equal_length() {
    timeline.add(1_000, 1);
    timeline.add(1_009, 2);
    timeline.add(1_010, 5);
    assertThat(columns()).containsExactly(3, 5);
    assertThat(timeline.most()).isEqualTo(5);
  }

  @Test
  void makes_two_columns_one_when_it_is_full_and_loses_nothing() {
    timeline.add(1_000, 1);
    timeline.add(1_010, 2);
    timeline.add(1_020, 3);
    timeline.add(1_030, 4);
    timeline.add(1_040, 5);
    assertThat(columns()).containsExactly(3, 7, 5);
    assertThat(timeline.step()).isEqualTo(20);
  }

  @Test
  void goes_on_after_a_long_silence() {
    timeline.add(1_000, 1);
    timeline.add(1_000_000, 2);
    assertThat(columns()[0]).isEqualTo(1);
    assertThat(columns()[timeline.size() - 1]).isEqualTo(2);
    assertThat(timeline.size()).isLessThanOrEqualTo(4);
  }

  @Test
  void hears_of_a_moment_at_which_nothing_is_counted() {
    timeline.add(1_035, 0);
    assertThat(columns()).containsExactly(0, 0, 0, 0);
  }
}
