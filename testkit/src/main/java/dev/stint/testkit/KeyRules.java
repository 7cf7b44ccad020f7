package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Any key will do, and no two places in which something is counted are ever the same. */
interface KeyRules {

  Duration MINUTE = Duration.ofMinutes(1);

  /** What the tests work with. */
  Bench bench();

  @Test
  default void text_of_any_characters_is_a_key() {
    String fresh = Bench.freshKey();
    List<KeyedLimit> places = new ArrayList<>();
    for (String odd :
        List.of(
            "",
            " ",
            "  ",
            "\0",
            "\0\0",
            "a",
            "a\0",
            "\0a",
            "A",
            "\n",
            "\r\n",
            "\t",
            "{",
            "}",
            "{}",
            "{a}",
            "}{",
            ":",
            "::",
            "/",
            "\\",
            "\\n",
            "|",
            ",",
            ";",
            "*",
            "?",
            "%00",
            "é",
            "e\u0301",
            "\u00ff",
            "\u0100",
            "\u0141",
            "\ufeff",
            "\ufffd",
            "\ud800",
            "\ud801",
            "\udc00",
            "\udc00\ud800",
            "\ud83d\ude00",
            "\ud83d?",
            "a\ud83d",
            "٣",
            "3",
            "\u2028")) {
      places.add(one().on(fresh + odd));
      places.add(one().on(odd + fresh + "."));
    }
    admitsEachOnce(places);
  }

  @Test
  default void keys_of_a_mebibyte_differ_in_their_last_character() {
    String fresh = Bench.freshKey();
    String long1 = fresh + "x".repeat(1 << 20);
    byte[] bytes = long1.getBytes(StandardCharsets.UTF_8);
    byte[] others = bytes.clone();
    others[others.length - 1]++;
    admitsEachOnce(
        List.of(
            one().on(long1),
            one().on(long1 + "x"),
            one().on(long1 + "y"),
            one().on(fresh + "\u20ac".repeat(1 << 20)),
            one().on(bytes),
            one().on(others)));
  }

  @Test
  default void text_bytes_and_numbers_are_never_the_same_key() {
    // The name keeps these few short keys apart from those of other tests.
    Limit limit = one().named("kinds-" + Bench.freshKey());
    List<KeyedLimit> places = new ArrayList<>();
    for (long number : new long[] {0, 7, 55, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32}) {
      places.add(limit.on(number));
      places.add(limit.on(Long.toString(number)));
      places.add(limit.on(Long.toString(number).getBytes(StandardCharsets.UTF_8)));
      places.add(limit.on(bigEndian(number)));
    }
    for (String text : List.of("é", "key", "\u20ac")) {
      places.add(limit.on(text));
      places.add(limit.on(text.getBytes(StandardCharsets.UTF_8)));
      places.add(limit.on(text.getBytes(StandardCharsets.UTF_16LE)));
    }
    admitsEachOnce(places);
  }

  @Test
  default void equal_keys_count_together_however_they_were_made() {
    RateLimiter limiter = bench().limiter;
    String fresh = Bench.freshKey();
    byte[] bytes = fresh.getBytes(StandardCharsets.UTF_8);
    assertThat(limiter.inc(one().on(fresh))).isEqualTo(1);
    assertThat(limiter.inc(one().on(Key.of(String.valueOf(fresh.toCharArray()))))).isEqualTo(2);
    assertThat(limiter.inc(one().on(bytes))).isEqualTo(1);
    assertThat(limiter.inc(one().on(Key.of(bytes.clone())))).isEqualTo(2);
  }

  @Test
  default void no_limit_and_key_can_be_made_to_meet_another_by_their_text() {
    String fresh = Bench.freshKey();
    List<KeyedLimit> places = new ArrayList<>();
    for (String name :
        List.of("", "a", "a.", "a.b", "a-b", "a_b", "1", "10", "60000000", "a.b.c")) {
      for (Duration window : List.of(Duration.ofSeconds(1), Duration.ofSeconds(10), MINUTE)) {
        Limit limit = Limit.fixedWindowPerKey(1, window);
        limit = name.isEmpty() ? limit : limit.named(name);
        for (String key :
            List.of(
                "",
                ".b",
                "b",
                ":b",
                "a",
                "a:b",
                "a.b",
                ":a:b",
                "0:b",
                "}b",
                "{b}",
                "\nb",
                "a\nb",
                "0",
                "00",
                "\0",
                "a\0b",
                "|b",
                "/b",
                "fixed-window-per-key:1000000:a")) {
          places.add(limit.on(key + fresh));
        }
      }
    }
    admitsEachOnce(places);
  }

  @Test
  default void a_tag_only_says_where_a_count_is_kept() {
    RateLimiter limiter = bench().limiter;
    String fresh = Bench.freshKey();
    KeyedLimit alice = one().on(fresh + "alice").in("{acme}\n:" + fresh);
    KeyedLimit bob = one().on(fresh + "bob").in("{acme}\n:" + fresh);
    assertThat(limiter.hit(alice, bob).allowed()).isTrue();
    assertThat(limiter.hit(alice).allowed()).isFalse();
    assertThat(limiter.hit(bob).allowed()).isFalse();
  }

  private static Limit one() {
    return Limit.fixedWindowPerKey(1, MINUTE);
  }

  private static byte[] bigEndian(long number) {
    byte[] bytes = new byte[8];
    for (int i = 0; i < 8; i++) {
      bytes[i] = (byte) (number >>> (56 - 8 * i));
    }
    return bytes;
  }

  /** Limits of one unit each: the first hit of every place must pass, and its second must not. */
  private void admitsEachOnce(List<KeyedLimit> places) {
    RateLimiter limiter = bench().limiter;
    for (KeyedLimit place : places) {
      assertThat(limiter.hit(place).allowed()).as("first hit of %s", brief(place)).isTrue();
    }
    for (KeyedLimit place : places) {
      assertThat(limiter.hit(place).allowed()).as("second hit of %s", brief(place)).isFalse();
    }
  }

  private static String brief(KeyedLimit place) {
    String text = place.toString();
    return text.length() < 200 ? text : text.substring(0, 200) + "… of " + text.length();
  }
}
