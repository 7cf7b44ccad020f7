package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses as text and back. {@code -Dstint.seed=n} says where the random tests begin. */
class IpAddressTest {

  private static final long SEED = Long.getLong("stint.seed", System.nanoTime());

  private final SplittableRandom random = new SplittableRandom(SEED);

  // ---- reading ---------------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0,                          0.0.0.0",
    "255.255.255.255,                  255.255.255.255",
    "::,                               ::",
    "::1,                              ::1",
    "1::,                              1::",
    "0:0:0:0:0:0:0:0,                  ::",
    "2001:DB8::00FF,                   2001:db8::ff",
    "2001:db8:0:1:1:1:1:1,             2001:db8:0:1:1:1:1:1",
    "2001:db8::1:1:1:1:1,              2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1,               2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1,             2001:db8::1:0:0:1",
    "1:2:3:4:5:6:7::,                  1:2:3:4:5:6:7:0",
    "::2:3:4:5:6:7:8,                  0:2:3:4:5:6:7:8",
    "1:0:0:0:0:0:0:0,                  1::",
    "0:0:0:0:0:0:0:1,                  ::1",
    "1:2:3:4:5:6:1.2.3.4,              1:2:3:4:5:6:102:304",
    "64:ff9b::1.2.3.4,                 64:ff9b::102:304",
    "::1.2.3.4,                        ::102:304",
    "::ffff:1.2.3.4,                   1.2.3.4",
    "::ffff:0102:0304,                 1.2.3.4",
    "0:0:0:0:0:FFFF:1.2.3.4,           1.2.3.4",
    "::ffff:0:1.2.3.4,                 ::ffff:0:102:304",
    "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
  })
  void reads_and_writes_the_one_usual_spelling(String text, String usual) {
    assertThat(IpAddress.parse(text)).hasToString(usual);
    assertThat(IpAddress.parse(usual)).isEqualTo(IpAddress.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ".",
        "1",
        "1.2.3",
        "1.2.3.",
        ".1.2.3",
        "1.2.3.4.",
        "1.2.3.4.5",
        "1..2.3",
        "256.1.1.1",
        "1.2.3.1000",
        "010.1.1.1",
        "1.1.1.00",
        "0x1.1.1.1",
        "+1.1.1.1",
        "1.1.1.-1",
        "1.1.1.1 ",
        " 1.1.1.1",
        "1.1.1.1:80",
        "1,1,1,1",
        "٣.1.1.1",
        "4294967295",
        ":",
        ":::",
        "::1::",
        "1::2::3",
        ":1",
        "1:",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:",
        ":2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "::1:2:3:4:5:6:7:8",
        "1:2:3:4::5:6:7:8",
        "12345::",
        "::g",
        "::٣",
        "::ａ",
        "::1.2.3",
        "::1.2.3.4.5",
        "::01.2.3.4",
        "::1.2.3.4:5",
        "1.2.3.4::",
        "1:2:3:4:5:6:7:1.2.3.4",
        "1:2:3:4:5:1.2.3.4",
        "[::1]",
        "::1%eth0",
        "::1/128",
        "\"::1\"",
        "localhost",
        "dead.beef"
      })
  void refuses(String text) {
    assertThat(IpAddress.parse(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "' 1.2.3.4\t',            1.2.3.4",
    "'\"1.2.3.4\"',           1.2.3.4",
    "1.2.3.4:0,               1.2.3.4",
    "1.2.3.4:65535,           1.2.3.4",
    "[1.2.3.4],               1.2.3.4",
    "[1.2.3.4]:80,            1.2.3.4",
    "'\"1.2.3.4:80\"',        1.2.3.4",
    "::1,                     ::1",
    "::1:80,                  ::1:80",
    "[::1],                   ::1",
    "[::1]:80,                ::1",
    "' \"[::1]:80\" ',        ::1",
    "fe80::1%eth0,            fe80::1",
    "fe80::1%25eth0,          fe80::1",
    "fe80::1%1,               fe80::1",
    "[fe80::1%eth0],          fe80::1",
    "[fe80::1%eth0]:80,       fe80::1",
    "::ffff:1.2.3.4%eth0,     1.2.3.4",
  })
  void reads_a_hop(String text, String address) {
    assertThat(IpAddress.parseHop(text)).hasToString(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\t",
        "\"",
        "\"\"",
        "[",
        "]",
        "[]",
        "[]:80",
        "[]:",
        ":",
        ":80",
        "%",
        "%eth0",
        "[%eth0]",
        "unknown",
        "_hidden",
        "1.2.3.4:",
        "1.2.3.4:65536",
        "1.2.3.4:000080",
        "1.2.3.4:8a",
        "1.2.3.4:+8",
        "1.2.3.4:-1",
        "1.2.3.4:٣",
        "1.2.3.4:80:80",
        "1.2.3.4 :80",
        "[::1]80",
        "[::1]:",
        "[::1]:x",
        "[::1",
        "::1]",
        "[::1]]",
        "[[::1]]",
        "[ ::1 ]",
        "\"1.2.3.4",
        "1.2.3.4\"",
        "\"\"1.2.3.4\"\"",
        "\"1.2.3.4\":80",
        "'1.2.3.4'",
        "1.2.3.4%eth0",
        "[1.2.3.4%eth0]",
        "fe80::1%",
        "[fe80::1%]",
        "\u00a01.2.3.4",
        "1.2.3.4\n",
        "1.2.3.4/32",
        "for=1.2.3.4",
        "010.1.1.1:80",
        "1.2.3:80"
      })
  void refuses_a_hop(String text) {
    assertThat(IpAddress.parseHop(text)).isNull();
  }

  // ---- against the JDK -------------------------------------------------------------------------

  @Test
  void reads_as_the_jdk_reads_and_back() throws UnknownHostException {
    for (int i = 0; i < 100_000; i++) {
      String text = literal();
      IpAddress address = IpAddress.parse(text);
      InetAddress expected = InetAddress.getByName(text);
      if (address == null
          || !address.equals(IpAddress.of(expected))
          || address.isV4() != (expected.getAddress().length == 4)
          || !address.equals(IpAddress.parse(address.toString()))) {
        assertThat(address).as("%s, -Dstint.seed=%d", text, SEED).hasToString("as " + expected);
      }
    }
  }

  /** A valid address in any spelling: gaps, leading zeros, capitals, an IPv4 tail. */
  private String literal() {
    if (random.nextInt(4) == 0) {
      return part() + "." + part() + "." + part() + "." + part();
    }
    boolean tail = random.nextInt(4) == 0;
    int groups = tail ? 6 : 8;
    int gap = random.nextBoolean() ? random.nextInt(groups) : groups;
    int gapEnd = gap == groups ? groups : gap + 1 + random.nextInt(groups - gap);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < groups; i++) {
      if (i == gap) {
        text.append("::");
        i = gapEnd - 1;
        continue;
      }
      text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":");
      text.append(group());
    }
    if (tail) {
      text.append(text.charAt(text.length() - 1) == ':' ? "" : ":");
      text.append(part()).append('.').append(part()).append('.').append(part()).append(".7");
    }
    return text.toString();
  }

  private String group() {
    int value =
        random.nextInt(3) == 0 ? 0 : random.nextInt(4) == 0 ? 0xffff : random.nextInt(65_536);
    HexFormat hex = random.nextBoolean() ? HexFormat.of() : HexFormat.of().withUpperCase();
    String digits = hex.toHexDigits((short) value);
    return random.nextBoolean() ? digits : digits.replaceFirst("^0{1,3}", "");
  }

  private int part() {
    return random.nextInt(256);
  }

  @Test
  void garbage_never_throws_and_what_is_read_comes_back() {
    String alphabet = "0123456789abcdefABCDEF::::....%[]\"/ \t,gxé٣";
    int read = 0;
    for (int i = 0; i < 100_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(12); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      IpAddress hop = IpAddress.parseHop(text.toString());
      IpAddress strict = IpAddress.parse(text.toString());
      read += hop == null ? 0 : 1;
      boolean agree = strict == null || strict.equals(hop);
      boolean back = hop == null || hop.equals(IpAddress.parse(hop.toString()));
      assertThat(agree && back).as("%s, -Dstint.seed=%d", text, SEED).isTrue();
    }
    assertThat(read).as("some of it is an address").isPositive();
  }

  // ---- as a value ------------------------------------------------------------------------------

  @Test
  void the_address_of_a_socket_is_known_by_its_bytes() throws UnknownHostException {
    byte[] v6 = HexFormat.of().parseHex("20010db8000000000000000000ff0080");
    assertThat(IpAddress.of(InetAddress.getByAddress(v6))).hasToString("2001:db8::ff:80");
    byte[] v4 = {(byte) 192, 0, 2, (byte) 255};
    assertThat(IpAddress.of(InetAddress.getByAddress("not.looked.up", v4)))
        .hasToString("192.0.2.255");
  }

  @Test
  void equal_bits_are_equal_addresses() {
    IpAddress one = IpAddress.parse("::ffff:1.2.3.4");
    assertThat(one)
        .isEqualTo(IpAddress.parse("1.2.3.4"))
        .hasSameHashCodeAs(IpAddress.v4(0x01020304));
    assertThat(one).isNotEqualTo(IpAddress.parse("::1.2.3.4"));
  }

  @ParameterizedTest
  @CsvSource({
    "1.2.3.4,                  64,  1.2.3.4",
    "::ffff:1.2.3.4,           64,  1.2.3.4",
    "2001:db8:1:2:3:4:5:6,     64,  2001:db8:1:2::/64",
    "2001:db8:1:2::,           64,  2001:db8:1:2::/64",
    "2001:db8:1:2ff:3:4:5:6,   56,  2001:db8:1:200::/56",
    "2001:db8:1:2:ffff:4:5:6,  65,  2001:db8:1:2:8000::/65",
    "2001:db8:1:2:3:4:5:6,     48,  2001:db8:1::/48",
    "2001:db8:1:2:3:4:5:7,     127, 2001:db8:1:2:3:4:5:6/127",
    "2001:db8:1:2:3:4:5:6,     128, 2001:db8:1:2:3:4:5:6",
    "ffff::,                   1,   8000::/1",
    "::1,                      64,  ::/64",
  })
  void is_counted_in_a_group(String text, int prefix, String group) {
    assertThat(IpAddress.parse(text).group(prefix)).isEqualTo(group);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 129})
  void a_group_has_from_1_to_128_bits(int prefix) {
    assertThatThrownBy(() -> IpAddress.parse("::1").group(prefix))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "an IPv6 prefix must be from 1 to 128 bits: " + prefix + "; 64 is the usual one");
  }
}
