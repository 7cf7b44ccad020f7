package dev.stint.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeySetTest {

  @ParameterizedTest
  @EnumSource(names = "TEN_MILLION", mode = EnumSource.Mode.EXCLUDE)
  void a_sequence_reaches_most_keys_and_no_other(KeySet keys) {
    int[] sequence = keys.sequence(1);
    BitSet reached = new BitSet();
    Arrays.stream(sequence).forEach(reached::set);
    double least = keys == KeySet.ZIPF ? 0.2 : 0.95;
    assertThat(reached.length()).isLessThanOrEqualTo(keys.count());
    assertThat(reached.cardinality()).isGreaterThanOrEqualTo((int) (least * keys.count()));
    assertThat(Integer.bitCount(sequence.length)).isOne();
  }

  @Test
  void two_threads_have_different_sequences() {
    assertThat(KeySet.THOUSAND.sequence(1)).isNotEqualTo(KeySet.THOUSAND.sequence(2));
  }

  @Test
  void the_most_popular_key_of_the_zipf_set_comes_once_in_fourteen_hits() {
    int[] counts = new int[KeySet.ZIPF.count()];
    int[] sequence = KeySet.ZIPF.sequence(1);
    Arrays.stream(sequence).forEach(key -> counts[key]++);
    double share = Arrays.stream(counts).max().orElseThrow() / (double) sequence.length;
    assertThat(share).isBetween(1 / 14.6, 1 / 14.2);
  }
}
