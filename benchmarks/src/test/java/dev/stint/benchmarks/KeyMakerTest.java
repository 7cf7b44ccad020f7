package dev.stint.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyMakerTest {

  private final KeyMaker maker = new KeyMaker();

  @Test
  void a_key_is_the_sixteen_digits_of_its_number() {
    for (int index = 0; index < 10_000; index++) {
      String digits = HexFormat.of().toHexDigits(KeyMaker.number(index));
      assertThat(maker.text(index)).isEqualTo(digits);
      assertThat(maker.bytes(index)).isEqualTo(digits.getBytes(StandardCharsets.US_ASCII));
    }
  }

  @Test
  void every_index_has_a_key_of_its_own() {
    Set<String> seen = new HashSet<>();
    for (int index = 0; index < 100_000; index++) {
      assertThat(seen.add(maker.text(index))).as("key %d is new", index).isTrue();
    }
  }

  @Test
  void a_key_is_a_new_object_each_time() {
    assertThat(maker.text(7)).isEqualTo(maker.text(7)).isNotSameAs(maker.text(7));
  }
}
