package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Clients that lie, before chains of proxies that do not.
 *
 * <p>{@code -Dstint.seed=n} says where to begin; a failure names its seed.
 */
class SpoofTest {

  private static final int CASES = 200_000;
  private static final long SEED = Long.getLong("stint.seed", System.nanoTime());

  private static final List<String> TRUSTED =
      List.of("10.0.0.0/8", "192.0.2.7", "2001:db8:aa::/48", "fd00::1", "172.16.0.0/12");
  private static final AddressSet PROXIES = AddressSet.of(TRUSTED);
  private static final String[] PIECES = {
    ",",
    ", ",
    " ,\t",
    "\"",
    "[",
    "]",
    ":",
    "::",
    "%",
    ".",
    "/",
    "=",
    ";",
    " ",
    "\t",
    "\\",
    "\\\"",
    "unknown",
    "_hidden",
    "for=",
    "0",
    "1",
    "255",
    "256",
    "010",
    "ffff",
    "::ffff:",
    "::ffff:a00:1",
    "1.2.3.4",
    "10.0.0.1",
    "[::1]:80",
    "2001:db8:aa::1",
    "127.0.0.1",
    "fe80::1%eth0",
    "*",
    "é",
    "٣",
    "\u0000",
    "\r",
    "\n",
    "\u00a0"
  };

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final ClientAddresses addresses = ClientAddresses.trusting(TRUSTED);

  @Test
  void no_client_behind_trusted_proxies_can_choose_its_address() {
    int forged = 0;
    for (int i = 0; i < CASES; i++) {
      IpAddress client = client();
      List<String> lines = forgery();
      forged += lines.isEmpty() ? 0 : 1;
      IpAddress peer = client;
      int proxies = random.nextInt(5);
      for (int p = 0; p < proxies; p++) {
        append(lines, peer);
        peer = proxy();
      }
      expect(client, spelling(peer), lines);
    }
    assertThat(forged).isGreaterThan(CASES / 2);
  }

  @Test
  void no_client_that_comes_straight_can_choose_its_address() {
    for (int i = 0; i < CASES; i++) {
      IpAddress client = client();
      expect(client, client.toString(), forgery());
    }
  }

  /** A message is made only for a failure: there are too many cases to describe each. */
  private void expect(IpAddress client, String peer, List<String> lines) {
    IpAddress found = addresses.of(peer, () -> lines);
    if (!client.equals(found)) {
      assertThat(found)
          .as("peer %s, X-Forwarded-For %s, -Dstint.seed=%d", peer, lines, SEED)
          .isEqualTo(client);
    }
  }

  // ---- who takes part --------------------------------------------------------------------------

  private IpAddress client() {
    while (true) {
      IpAddress address =
          switch (random.nextInt(4)) {
            case 0 -> IpAddress.v4(random.nextLong(1L << 32));
            case 1 -> IpAddress.v4(0x0b000000L - random.nextLong(1L << 26));
            case 2 -> new IpAddress(0x20010db8_00000000L | random.nextLong(1L << 24), 1);
            default -> new IpAddress(random.nextLong(), random.nextLong());
          };
      if (!PROXIES.contains(address)) {
        return address;
      }
    }
  }

  private IpAddress proxy() {
    return switch (random.nextInt(4)) {
      case 0 -> IpAddress.v4(0x0a000000L | random.nextLong(1L << 24));
      case 1 -> IpAddress.v4(0xc0000207L);
      case 2 -> new IpAddress(0x20010db8_00aa0000L | random.nextLong(1L << 16), random.nextLong());
      default -> new IpAddress(0xfd000000_00000000L, 1);
    };
  }

  // ---- what they write -------------------------------------------------------------------------

  private List<String> forgery() {
    List<String> lines = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      lines.add(
          switch (random.nextInt(8)) {
            case 0, 1 -> believable(random.nextInt(8));
            case 2 -> random.nextInt(100) == 0 ? believable(2000) : believable(40);
            case 3 -> random.nextInt(100) == 0 ? " ".repeat(9000) : "";
            default -> garbage(random.nextInt(12));
          });
    }
    return lines;
  }

  private String believable(int hops) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < hops; i++) {
      line.append(i == 0 ? "" : ", ").append(spelling(random.nextBoolean() ? proxy() : client()));
    }
    return line.toString();
  }

  private String garbage(int pieces) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < pieces; i++) {
      line.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return line.toString();
  }

  /** What a proxy does: a line of its own, the last line longer, or all lines made one. */
  private void append(List<String> lines, IpAddress peer) {
    String hop = spelling(peer);
    int way = lines.isEmpty() ? 0 : random.nextInt(3);
    if (way == 0) {
      lines.add(hop);
    } else if (way == 1) {
      lines.set(lines.size() - 1, lines.get(lines.size() - 1) + ", " + hop);
    } else {
      String all = String.join(",", lines) + "," + hop;
      lines.clear();
      lines.add(all);
    }
  }

  private String spelling(IpAddress address) {
    String plain = address.toString();
    if (address.isV4()) {
      return switch (random.nextInt(6)) {
        case 0 -> plain + ":" + random.nextInt(65_536);
        case 1 -> "::ffff:" + plain;
        case 2 -> '"' + plain + '"';
        case 3 -> "[::FFFF:" + plain + "]:443";
        default -> plain;
      };
    }
    return switch (random.nextInt(6)) {
      case 0 -> "[" + plain + "]:" + random.nextInt(65_536);
      case 1 -> "\"[" + plain + "]\"";
      case 2 -> plain + "%eth0";
      case 3 -> plain.replace('a', 'A').replace('f', 'F');
      default -> plain;
    };
  }
}
