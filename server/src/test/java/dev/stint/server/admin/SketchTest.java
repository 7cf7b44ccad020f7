package dev.stint.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SketchTest {

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, Sketch.Entry> entries(Sketch sketch) {
    Map<String, Sketch.Entry> found = new HashMap<>();
    sketch.forEach(
        entry ->
            found.put(
                entry.group() + "/" + new String(entry.shown(), StandardCharsets.UTF_8), entry));
    return found;
  }

  @Test
  void keys_that_differ_in_the_highest_bits_are_told_apart() {
    // A product of 64 bits passes these on unchanged, whatever the seed.
    byte[] one = key("0123456789abcdef");
    byte[] other = one.clone();
    other[7] ^= (byte) 0x80;
    other[12] ^= 0x04;
    other[15] ^= (byte) 0x80;
    Sketch sketch = new Sketch(64, 1);
    sketch.note("api", one);
    sketch.note("api", other);
    assertThat(entries(sketch)).hasSize(2);
  }

  @Test
  void counts_exactly_as_long_as_there_are_slots() {
    Sketch sketch = new Sketch(64, 1);
    for (int i = 0; i < 64; i++) {
      for (int n = 0; n <= i; n++) {
        sketch.note("api", key("user:" + i));
      }
    }
    Map<String, Sketch.Entry> found = entries(sketch);
    assertThat(found).hasSize(64);
    for (int i = 0; i < 64; i++) {
      assertThat(found.get("api/user:" + i).count()).isEqualTo(i + 1);
      assertThat(found.get("api/user:" + i).error()).isZero();
    }
  }

  @Test
  void the_same_key_of_two_groups_is_two_keys() {
    Sketch sketch = new Sketch(8, 1);
    sketch.note("a", key("x"));
    sketch.note("b", key("x"));
    assertThat(entries(sketch)).containsOnlyKeys("a/x", "b/x");
  }

  /** The two promises of the algorithm, against exact counts of a skewed stream. */
  @Test
  void is_never_too_low_nor_wrong_by_more_than_it_says_and_keeps_whoever_is_frequent() {
    for (long seed = 1; seed <= 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Sketch sketch = new Sketch(128, seed);
      Map<String, Long> exact = new HashMap<>();
      int total = 50_000;
      for (int i = 0; i < total; i++) {
        String name = "k" + (int) (10_000 * Math.pow(random.nextDouble(), 6));
        exact.merge("g/" + name, 1L, Long::sum);
        sketch.note("g", key(name));
      }
      Map<String, Sketch.Entry> found = entries(sketch);
      assertThat(found).as("seed %d", seed).hasSize(128);
      found.forEach(
          (name, entry) -> {
            long truth = exact.getOrDefault(name, 0L);
            assertThat(entry.count()).as(name).isBetween(truth, truth + entry.error());
          });
      exact.forEach(
          (name, count) -> {
            if (count > total / 128) {
              assertThat(found).containsKey(name);
            }
          });
    }
  }

  @Test
  void shows_the_beginning_of_a_long_key_and_tells_long_keys_apart() {
    Sketch sketch = new Sketch(8, 1);
    String start = "a".repeat(500);
    sketch.note("g", key(start + "1"));
    sketch.note("g", key(start + "2"));
    int[] seen = new int[1];
    sketch.forEach(
        entry -> {
          seen[0]++;
          assertThat(entry.isCut()).isTrue();
          assertThat(entry.shown()).hasSize(Sketch.SHOWN_BYTES);
          assertThat(entry.count()).isEqualTo(1);
        });
    assertThat(seen[0]).isEqualTo(2);
  }

  @Test
  void forgets_everything_when_cleared() {
    Sketch sketch = new Sketch(8, 1);
    sketch.note("g", key("x"));
    sketch.clear();
    assertThat(entries(sketch)).isEmpty();
    sketch.note("g", key("y"));
    assertThat(entries(sketch)).containsOnlyKeys("g/y");
  }
}
