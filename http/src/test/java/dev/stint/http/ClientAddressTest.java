package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressTest {

  /**
   * Peer, trusted proxies, lines of X-Forwarded-For and whom the request is counted for. {@code ;}
   * parts lines, {@code -} is none of what the column holds, {@code <n x text>} is the text n times
   * with commas between, {@code <n blanks>} what it says, {@code <empty>} an empty line.
   */
  private static final String TABLE =
      """
      # Nobody is trusted: the header is not looked at.
      203.0.113.9     | -            | -                                | 203.0.113.9
      203.0.113.9     | -            | 1.2.3.4                          | 203.0.113.9
      2001:db8::9     | -            | 1.2.3.4                          | 2001:db8::9
      # The peer is not trusted.
      203.0.113.9     | 10.0.0.0/8   | 1.2.3.4                          | 203.0.113.9
      203.0.113.9     | 10.0.0.0/8   | 1.2.3.4, 10.0.0.1                | 203.0.113.9
      11.0.0.0        | 10.0.0.0/8   | 1.2.3.4                          | 11.0.0.0
      9.255.255.255   | 10.0.0.0/8   | 1.2.3.4                          | 9.255.255.255
      2001:db9::1     | 2001:db8::/32| 1.2.3.4                          | 2001:db9::1
      # The peer as servers give it.
      [2001:db8::9]   | -            | -                                | 2001:db8::9
      fe80::1%eth0    | -            | -                                | fe80::1
      0:0:0:0:0:0:0:1 | ::1          | 1.2.3.4                          | 1.2.3.4
      ::ffff:10.0.0.1 | 10.0.0.0/8   | 1.2.3.4                          | 1.2.3.4
      ::ffff:a00:1    | 10.0.0.0/8   | 1.2.3.4                          | 1.2.3.4
      10.0.0.1        | ::ffff:10.0.0.0/104 | 1.2.3.4                   | 1.2.3.4
      ::ffff:1.2.3.4  | -            | -                                | 1.2.3.4
      -               | 10.0.0.0/8   | 1.2.3.4                          | -
      unix:/run/s     | 10.0.0.0/8   | 1.2.3.4                          | -
      localhost       | 127.0.0.1    | 1.2.3.4                          | -
      # One proxy.
      10.0.0.1        | 10.0.0.0/8   | -                                | 10.0.0.1
      10.0.0.1        | 10.0.0.0/8   | 1.2.3.4                          | 1.2.3.4
      10.0.0.1        | 10.0.0.1     | 1.2.3.4                          | 1.2.3.4
      10.0.0.2        | 10.0.0.1     | 1.2.3.4                          | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 2001:db8::7                      | 2001:db8::7
      # Forged by the client, who writes on the left.
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, 1.2.3.4                 | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 10.0.0.9, 1.2.3.4                | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 127.0.0.1, ::1, 1.2.3.4          | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6 ; 1.2.3.4                | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | "6.6.6.6, 1.2.3.4                | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 1.2.3.4, 1.2.3.4, 5.6.7.8        | 5.6.7.8
      # Several proxies.
      10.0.0.1        | 10.0.0.0/8   | 1.2.3.4, 10.0.0.2                | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, 1.2.3.4, 10.0.0.3, 10.0.0.2 | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6 ; 1.2.3.4 ; 10.0.0.3 ; 10.0.0.2 | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, 1.2.3.4 ; 10.0.0.3, 10.0.0.2 | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 10.0.0.4, 10.0.0.3, 10.0.0.2     | 10.0.0.4
      10.0.0.1        | 10.0.0.1 10.0.0.2 | 1.2.3.4, 10.0.0.3, 10.0.0.2 | 10.0.0.3
      10.0.0.1        | 10.0.0.0/8 2001:db8::/32 | 1.2.3.4, 2001:db8::2 | 1.2.3.4
      # IPv6 proxies.
      2001:db8::1     | 2001:db8::/64 | 1.2.3.4                         | 1.2.3.4
      2001:db8::1     | 2001:db8::/64 | 6.6.6.6, 2001:db8:0:1::1        | 2001:db8:0:1::1
      2001:db8::1     | 2001:db8::/64 | 1.2.3.4, 2001:DB8::FFFF:FFFF:FFFF:FFFF | 1.2.3.4
      2001:db8::1     | 2001:db8::1/128 | 1.2.3.4                       | 1.2.3.4
      fe80::1%eth0    | fe80::/10    | 1.2.3.4                          | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, ::a00:1                 | ::a00:1
      # Ports, brackets, quotes, zones, blanks, other spellings.
      10.0.0.1        | 10.0.0.0/8   | 1.2.3.4:5678                     | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 1.2.3.4:0, 10.0.0.2:65535        | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | [2001:db8::7]                    | 2001:db8::7
      10.0.0.1        | 10.0.0.0/8   | [2001:db8::7]:5678               | 2001:db8::7
      10.0.0.1        | 10.0.0.0/8   | "[2001:db8::7]:5678"             | 2001:db8::7
      10.0.0.1        | 10.0.0.0/8   | "1.2.3.4"                        | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | "1.2.3.4:5678"                   | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | fe80::7%eth0                     | fe80::7
      10.0.0.1        | 10.0.0.0/8   | [fe80::7%25eth0]:5678            | fe80::7
      10.0.0.1        | 10.0.0.0/8   | 1.2.3.4,10.0.0.2                 | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 1.2.3.4 \t ,\t 10.0.0.2          | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | ::ffff:1.2.3.4                   | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 1.2.3.4, ::FFFF:0A00:0002        | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | [::ffff:1.2.3.4]:5678            | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 2001:0DB8:0:0:0:0:0:0007         | 2001:db8::7
      # Garbage: nothing left of it is looked at.
      10.0.0.1        | 10.0.0.0/8   | unknown                          | 10.0.0.1
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, unknown                 | 10.0.0.1
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, unknown, 10.0.0.2       | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, _obf, 10.0.0.3, 10.0.0.2 | 10.0.0.3
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, unknown, 1.2.3.4        | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6 ; unknown ; 10.0.0.2     | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, proxy.example, 10.0.0.2 | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, 010.0.0.3, 10.0.0.2     | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, 10.0.3, 10.0.0.2        | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, 10.0.0.256, 10.0.0.2    | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, 167772163, 10.0.0.2     | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, 0x0a000003, 10.0.0.2    | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, 10.0.0.3:x, 10.0.0.2    | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, 10.0.0.3:65536, 10.0.0.2 | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, 10.0.0.3:, 10.0.0.2     | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, "10.0.0.3, 10.0.0.2     | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, [::1, 10.0.0.2          | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, 10.0.0.3%eth0, 10.0.0.2 | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, 10.0.0.3 10.0.0.4, 10.0.0.2 | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, 10.0.0.0/8, 10.0.0.2    | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | for=6.6.6.6, 10.0.0.2            | 10.0.0.2
      # Empty hops are garbage too.
      10.0.0.1        | 10.0.0.0/8   | <empty>                          | 10.0.0.1
      10.0.0.1        | 10.0.0.0/8   | ,                                | 10.0.0.1
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6,                         | 10.0.0.1
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6, , 10.0.0.2              | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6 ; <empty> ; 10.0.0.2     | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | , 1.2.3.4                        | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | ""                               | 10.0.0.1
      # At most 32 hops.
      10.0.0.1        | 10.0.0.0/8   | 1.2.3.4, <31 x 10.0.0.2>         | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | 1.2.3.4, <32 x 10.0.0.2>         | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 1.2.3.4 ; <16 x 10.0.0.3> ; <16 x 10.0.0.2> | 10.0.0.3
      10.0.0.1        | 10.0.0.0/8   | <9999 x 6.6.6.6>, 1.2.3.4        | 1.2.3.4
      10.0.0.1        | 10.0.0.0/8   | <9999 x 10.0.0.3>                | 10.0.0.3
      # At most 4096 characters, and no half hop: the 9.9.9.9 in 19.9.9.9 is somebody else.
      10.0.0.1        | 10.0.0.0/8   | 9.9.9.9,<4080 blanks>10.0.0.2    | 9.9.9.9
      10.0.0.1        | 10.0.0.0/8   | 9.9.9.9,<4081 blanks>10.0.0.2    | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 19.9.9.9,<4079 blanks>10.0.0.2   | 19.9.9.9
      10.0.0.1        | 10.0.0.0/8   | 19.9.9.9,<4080 blanks>10.0.0.2   | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6,9.9.9.9,<4080 blanks>10.0.0.2 | 9.9.9.9
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6,19.9.9.9;<4079 blanks>10.0.0.2 | 19.9.9.9
      10.0.0.1        | 10.0.0.0/8   | 6.6.6.6,19.9.9.9;<4080 blanks>10.0.0.2 | 10.0.0.2
      10.0.0.1        | 10.0.0.0/8   | 9.9.9.9,<4089 blanks>10.0.0.2    | 10.0.0.1
      10.0.0.1        | 10.0.0.0/8   | <99999 blanks>, 1.2.3.4          | 1.2.3.4
      """;

  private static final Pattern REPEATED = Pattern.compile("<(\\d+) x ([^>]*)>");
  private static final Pattern BLANKS = Pattern.compile("<(\\d+) blanks>");

  static Stream<String> rows() {
    return TABLE.lines().filter(row -> !row.startsWith("#"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void a_request_is_counted_for(String row) {
    String[] cells = row.split("\\|", -1);
    String peer = cells[0].strip();
    String trusted = cells[1].strip();
    String expected = cells[3].strip();

    ClientAddresses addresses =
        ClientAddresses.trusting(trusted.equals("-") ? List.of() : List.of(trusted.split(" ")));
    IpAddress found = addresses.of(peer.equals("-") ? null : peer, () -> lines(cells[2].strip()));

    assertThat(found == null ? "-" : found.toString()).isEqualTo(expected);
  }

  @Test
  void the_table_has_at_least_sixty_different_rows() {
    assertThat(rows().distinct().count()).isGreaterThanOrEqualTo(60);
  }

  private static List<String> lines(String cell) {
    if (cell.equals("-")) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    for (String line : cell.split(";", -1)) {
      String repeated = REPEATED.matcher(line.strip()).replaceAll(ClientAddressTest::repeated);
      lines.add(
          BLANKS
              .matcher(repeated.replace("<empty>", ""))
              .replaceAll(match -> " ".repeat(Integer.parseInt(match.group(1)))));
    }
    return lines;
  }

  private static String repeated(MatchResult match) {
    int times = Integer.parseInt(match.group(1));
    return Matcher.quoteReplacement(String.join(", ", Collections.nCopies(times, match.group(2))));
  }

  // ---- who may not be trusted ------------------------------------------------------------------

  @Test
  void refuses_to_trust_a_star() {
    assertThatThrownBy(() -> ClientAddresses.trusting(List.of("10.0.0.1", "*")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "trusted proxies must be your own, or anyone could choose the address they are counted"
                + " for: \"*\"; name the addresses of your proxies, such as 10.0.0.0/8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0/0", "::ffff:0:0/96", "0.0.0.0/1 128.0.0.0/1"})
  void refuses_to_trust_all_of_ipv4(String proxies) {
    assertThatThrownBy(() -> ClientAddresses.trusting(List.of(proxies.split(" "))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("counted for: all of IPv4 (0.0.0.0/0); name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"::/0", "8000::/1 ::/2 4000::/2"})
  void refuses_to_trust_all_of_ipv6(String proxies) {
    assertThatThrownBy(() -> ClientAddresses.trusting(List.of(proxies.split(" "))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("counted for: all of IPv6 (::/0); name");
  }

  // ---- what is read and what is said -----------------------------------------------------------

  @Test
  void does_not_read_the_header_for_a_peer_that_is_not_trusted() {
    Supplier<List<String>> header =
        () -> {
          throw new AssertionError("was read");
        };
    IpAddress found = ClientAddresses.trusting(List.of("10.0.0.0/8")).of("1.2.3.4", header);
    assertThat(found).hasToString("1.2.3.4");
  }

  @Test
  void says_once_that_the_header_comes_while_nobody_is_trusted_and_reads_it_no_more() {
    ClientAddresses addresses = ClientAddresses.trusting(List.of());
    List<String> reads = new ArrayList<>();
    Supplier<List<String>> header =
        () -> {
          reads.add("read");
          return List.of("1.2.3.4");
        };
    List<String> said =
        logged(
            () -> {
              addresses.of("203.0.113.9", List::of);
              addresses.of("203.0.113.9", header);
              addresses.of("203.0.113.9", header);
            });
    assertThat(said).singleElement().asString().startsWith("STINT-HTTP-1: ");
    assertThat(reads).hasSize(1);
  }

  @Test
  void says_nothing_while_somebody_is_trusted() {
    ClientAddresses addresses = ClientAddresses.trusting(List.of("10.0.0.0/8"));
    List<String> said = logged(() -> addresses.of("203.0.113.9", () -> List.of("1.2.3.4")));
    assertThat(said).isEmpty();
  }

  private static List<String> logged(Runnable action) {
    List<String> messages = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            messages.add(line.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("dev.stint.http");
    logger.addHandler(handler);
    try {
      action.run();
    } finally {
      logger.removeHandler(handler);
    }
    return messages;
  }
}
