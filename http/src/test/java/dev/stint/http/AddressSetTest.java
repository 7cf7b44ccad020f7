package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges and sets of them. {@code -Dstint.seed=n} says where the random tests begin. */
class AddressSetTest {

  private static final long SEED = Long.getLong("stint.seed", System.nanoTime());

  private final SplittableRandom random = new SplittableRandom(SEED);

  // ---- ranges ----------------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({
    "203.0.113.7,             203.0.113.7",
    "203.0.113.7/32,          203.0.113.7",
    "10.0.0.0/8,              10.0.0.0/8",
    "0.0.0.0/0,               0.0.0.0/0",
    "128.0.0.0/1,             128.0.0.0/1",
    "2001:DB8::/32,           2001:db8::/32",
    "2001:db8::1/128,         2001:db8::1",
    "2001:db8::8000:0:0:0/65, 2001:db8:0:0:8000::/65",
    "::/0,                    ::/0",
    "::ffff:10.0.0.0/104,     10.0.0.0/8",
    "::ffff:a00:0/104,        10.0.0.0/8",
    "::ffff:0:0/96,           0.0.0.0/0",
    "::ffff:10.0.0.1,         10.0.0.1",
  })
  void a_range_is_shown_in_one_way(String text, String shown) {
    assertThat(AddressRange.parse(text)).hasToString(shown);
    assertThat(AddressRange.parse(text)).isEqualTo(AddressRange.parse(shown));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*",
        "localhost",
        "10",
        "10.0.0/8",
        "/8",
        "010.0.0.0/8",
        "10.*",
        "[::1]",
        "fe80::1%eth0",
        " 10.0.0.1",
        "10.0.0.1 ",
        "10.0.0.0-10.0.0.9",
        "1.2.3.4:80"
      })
  void what_is_no_address_is_no_range(String text) {
    assertThatThrownBy(() -> AddressRange.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "an address range must be an address such as 203.0.113.7 or a prefix such as"
                + " 10.0.0.0/8: \""
                + text
                + '"');
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/33,           32",
    "10.0.0.0/,             32",
    "10.0.0.0/08,           32",
    "10.0.0.0/-1,           32",
    "10.0.0.0/+8,           32",
    "10.0.0.0/255.0.0.0,    32",
    "10.0.0.0/8/8,          32",
    "10.0.0.0/4294967304,   32",
    "2001:db8::/129,        128",
    "2001:db8::/x,          128",
    "::ffff:10.0.0.0/129,   128",
  })
  void a_prefix_must_be_a_number_of_bits(String text, int longest) {
    assertThatThrownBy(() -> AddressRange.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the prefix of an address range must be a whole number from 0 to %d: \"%s\"",
            longest, text);
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1/8,            10.0.0.0/8",
    "10.0.0.1/0,            0.0.0.0/0",
    "2001:db8::1/64,        2001:db8::/64",
    "2001:db8::1/127,       2001:db8::/127",
    "::ffff:10.0.0.1/104,   10.0.0.0/8",
    "::ffff:0:0/90,         ::ffc0:0:0/90",
  })
  void bits_beyond_the_prefix_are_refused_with_the_cure(String text, String cure) {
    assertThatThrownBy(() -> AddressRange.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "an address range must have no bits set beyond its prefix: \"%s\"; did you mean %s?",
            text, cure);
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8,     10.0.0.0,        true",
    "10.0.0.0/8,     10.255.255.255,  true",
    "10.0.0.0/8,     9.255.255.255,   false",
    "10.0.0.0/8,     11.0.0.0,        false",
    "10.0.0.0/8,     ::ffff:10.1.2.3, true",
    "10.0.0.0/8,     ::a01:203,       false",
    "0.0.0.0/0,      255.255.255.255, true",
    "0.0.0.0/0,      ::,              false",
    "::/0,           ::1,             true",
    "::/0,           1.2.3.4,         false",
    "2001:db8::/64,  2001:db8::ffff:ffff:ffff:ffff, true",
    "2001:db8::/64,  2001:db8:0:1::,  false",
    "2001:db8::1,    2001:db8::1,     true",
    "2001:db8::1,    2001:db8::2,     false",
  })
  void a_range_and_a_set_of_it_hold(String range, String text, boolean held) {
    IpAddress address = IpAddress.parse(text);
    assertThat(AddressRange.parse(range).contains(address)).isEqualTo(held);
    assertThat(AddressSet.of(List.of(range)).contains(address)).isEqualTo(held);
  }

  // ---- sets ------------------------------------------------------------------------------------

  @Test
  void a_set_of_nothing_is_empty_and_holds_nobody() {
    AddressSet nothing = AddressSet.of(List.of());
    assertThat(nothing.isEmpty()).isTrue();
    assertThat(nothing.contains(IpAddress.v4(0))).isFalse();
    assertThat(nothing.contains(new IpAddress(0, 0))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::"})
  void a_set_of_one_address_is_not_empty(String address) {
    assertThat(AddressSet.of(List.of(address)).isEmpty()).isFalse();
  }

  @Test
  void a_set_names_the_range_it_cannot_read() {
    assertThatThrownBy(() -> AddressSet.of(List.of("10.0.0.0/8", "nonsense")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("\"nonsense\"");
  }

  @Test
  void a_set_holds_what_one_of_its_ranges_holds() {
    for (int round = 0; round < 2_000; round++) {
      List<String> texts = new ArrayList<>();
      List<AddressRange> ranges = new ArrayList<>();
      for (int i = random.nextInt(12); i > 0; i--) {
        AddressRange range = near(8);
        texts.add(range.toString());
        ranges.add(range);
      }
      AddressSet set = AddressSet.of(texts);
      for (int i = 0; i < 50; i++) {
        IpAddress address = near(0).first();
        boolean held = ranges.stream().anyMatch(range -> range.contains(address));
        assertThat(set.contains(address))
            .as("%s in %s, -Dstint.seed=%d", address, texts, SEED)
            .isEqualTo(held);
      }
    }
  }

  /** A range of few addresses, all near a border of 64 bits or of IPv4, so that ranges meet. */
  private AddressRange near(int freeBits) {
    boolean v4 = random.nextBoolean();
    long bits = random.nextLong(1 << 10) - (1 << 9);
    IpAddress address =
        v4
            ? IpAddress.v4(0x0a000000L + bits)
            : new IpAddress(0x20010db8_00000000L + random.nextInt(2), bits);
    int free = freeBits == 0 ? 0 : random.nextInt(freeBits);
    return AddressRange.parse(address.first(128 - free) + "/" + ((v4 ? 32 : 128) - free));
  }

  @Test
  void ten_thousand_ranges_are_gathered_and_asked_in_good_time() {
    List<String> ranges = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      ranges.add(IpAddress.v4(random.nextLong(1L << 31) << 1) + "/31");
    }
    // Far more than it takes, and less than ten thousand million comparisons would.
    Assertions.assertTimeout(
        Duration.ofSeconds(10),
        () -> {
          AddressSet set = AddressSet.of(ranges);
          int held = 0;
          for (int i = 0; i < 1_000_000; i++) {
            held += set.contains(IpAddress.v4(random.nextLong(1L << 32))) ? 1 : 0;
          }
          assertThat(held).as("-Dstint.seed=%d", SEED).isLessThan(1_000);
        });
  }
}
