package dev.stint.studio.recommend;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class PercentTest {

  @Test
  void so_many_at_least() {
    assertThat(Percent.of(new BigDecimal("99.9"), 1_000)).isEqualTo(999);
    assertThat(Percent.of(new BigDecimal("99.9"), 1_001)).isEqualTo(1_000);
    assertThat(Percent.of(new BigDecimal("99.9"), 40)).isEqualTo(40);
    assertThat(Percent.of(new BigDecimal("100"), 7)).isEqualTo(7);
  }

  @Test
  void who_never_notices_is_rounded_down() {
    assertThat(Percent.down(999, 1_000)).isEqualTo("99.9 %");
    assertThat(Percent.down(999_999, 1_000_000)).isEqualTo("99.99 %");
    assertThat(Percent.down(7, 7)).isEqualTo("100 %");
    assertThat(Percent.down(0, 7)).isEqualTo("0 %");
    assertThat(Percent.down(19, 20)).isEqualTo("95 %");
  }

  @Test
  void something_is_never_nothing_nor_everything() {
    assertThat(Percent.whole(61, 100)).isEqualTo("61 %");
    assertThat(Percent.whole(1, 1_000)).isEqualTo("less than 1 %");
    assertThat(Percent.whole(999, 1_000)).isEqualTo("more than 99 %");
    assertThat(Percent.whole(5, 5)).isEqualTo("100 %");
    assertThat(Percent.whole(0, 5)).isEqualTo("0 %");
  }
}
