package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.KeyedLimit;
import dev.stint.Limit;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The names of keys in Redis, which others' tools may rely on. */
class PlaceNamesTest {

  private final PlaceNames names = new PlaceNames("stint:");

  private byte[] bytes(KeyedLimit limit) {
    return names.of(limit, PlaceNames.terms(limit.limit()));
  }

  private String name(KeyedLimit limit) {
    return new String(bytes(limit), StandardCharsets.UTF_8);
  }

  @Test
  void a_name_tells_the_limit_and_the_key() {
    assertThat(name(Limit.parse("5/minute").named("login").on("user:42")))
        .matches("stint:\\{[A-Za-z0-9_-]{3}}1t1m:login/user:42");
    assertThat(name(Limit.parse("5 per 1500 ms fixed-window").on(42)))
        .matches("stint:\\{.{3}}1w1500ms=42");
    assertThat(name(Limit.parse("5/hour fixed-window-per-key").on("k"))).endsWith("}1k1h/k");
    assertThat(name(Limit.parse("5/hour sliding-log").on("k"))).endsWith("}1l1h/k");
    assertThat(name(Limit.parse("5/hour sliding-counter").on("k"))).endsWith("}1c1h/k");
    assertThat(name(Limit.parse("5/hour leaky-bucket").on("k"))).endsWith("}1y1h/k");
    assertThat(name(Limit.parse("5 total").on("k"))).endsWith("}1q/k");
    assertThat(name(Limit.parse("5/hour").on(new byte[] {'k'}))).endsWith("}1t1h#k");
  }

  @Test
  void the_amount_is_no_part_of_it() {
    assertThat(bytes(Limit.parse("5/minute").on("a")))
        .isEqualTo(bytes(Limit.parse("9/minute burst 3").on("a")));
  }

  @Test
  void long_keys_and_text_that_is_no_unicode_are_hashed() {
    assertThat(name(Limit.parse("5/hour").on("x".repeat(64)))).endsWith("h/" + "x".repeat(64));
    assertThat(name(Limit.parse("5/hour").on("x".repeat(65)))).matches(".*~[A-Za-z0-9_-]{43}");
    assertThat(name(Limit.parse("5/hour").on("\ud800"))).matches(".*~[A-Za-z0-9_-]{43}");
    assertThat(name(Limit.parse("5/hour").on(new byte[65]))).matches(".*\\^[A-Za-z0-9_-]{43}");
    assertThat(bytes(Limit.parse("5/hour").on("\ud800")))
        .isNotEqualTo(bytes(Limit.parse("5/hour").on("\ud801")));
  }

  @Test
  void no_text_reaches_into_the_braces() {
    for (String text : new String[] {"{", "}", "{}", "}{", "{a}", "a}b{c", "\n", ":"}) {
      String name = name(Limit.parse("5/hour").on(text).in("tag " + text));
      assertThat(name.indexOf('{')).isEqualTo("stint:".length());
      assertThat(name.indexOf('}')).isEqualTo("stint:{123".length());
      assertThat(name).endsWith("/" + text);
    }
  }

  @Test
  void all_limits_of_a_key_lie_in_one_slot_and_all_of_a_tag_too() {
    Set<Integer> slots = new HashSet<>();
    for (String rate : new String[] {"5/hour", "5/minute sliding-log", "5 total"}) {
      slots.add(SlotHash.getSlot(bytes(Limit.parse(rate).named("a").on("user:42"))));
      slots.add(SlotHash.getSlot(bytes(Limit.parse(rate).on("somebody else").in("user:42"))));
    }
    assertThat(slots).hasSize(1);
  }

  @Test
  void keys_are_spread_over_the_slots() {
    Set<Integer> slots = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      slots.add(SlotHash.getSlot(bytes(Limit.parse("5/hour").on("user:" + i))));
    }
    // 20,000 balls thrown into 16,384 slots hit 11,550 of them on average.
    assertThat(slots).hasSizeBetween(11_000, 12_100);
  }

  @Test
  void a_prefix_has_no_braces() {
    assertThatThrownBy(() -> RedisStore.builder("redis://localhost").prefix("a{b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("prefix must not be null or hold braces: a{b");
  }
}
