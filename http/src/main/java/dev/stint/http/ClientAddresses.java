package dev.stint.http;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds who sent a request that came through proxies.
 *
 * <p>Each proxy appends the address it was called from to {@code X-Forwarded-For}, so the header is
 * read from its right end, and only as far as trusted proxies wrote it. What lies further left came
 * with the request: its sender may have written anything there.
 */
final class ClientAddresses {

  private static final Logger LOG = System.getLogger("dev.stint.http");
  private static final int MOST_HOPS = 32;
  private static final int MOST_CHARACTERS = 4096;

  private final AddressSet proxies;
  private final AtomicBoolean warned = new AtomicBoolean();

  private ClientAddresses(AddressSet proxies) {
    this.proxies = proxies;
  }

  /** Believes the proxies in these ranges and nobody else; with none, no header is believed. */
  static ClientAddresses trusting(Collection<String> proxies) {
    if (proxies.contains("*")) {
      throw anyone("\"*\"");
    }
    AddressSet set = AddressSet.of(proxies);
    if (set.containsAllOfV4()) {
      throw anyone("all of IPv4 (0.0.0.0/0)");
    }
    if (set.containsAllOfV6()) {
      throw anyone("all of IPv6 (::/0)");
    }
    return new ClientAddresses(set);
  }

  private static IllegalArgumentException anyone(String trusted) {
    return new IllegalArgumentException(
        "trusted proxies must be your own, or anyone could choose the address they are counted"
            + " for: "
            + trusted
            + "; name the addresses of your proxies, such as 10.0.0.0/8");
  }

  /**
   * The address of the client, or null if the peer has none, as on a Unix socket.
   *
   * @param peer the other end of the connection
   * @param forwardedFor the lines of {@code X-Forwarded-For} as they came; not asked for in vain
   */
  @Nullable IpAddress of(@Nullable String peer, Supplier<List<String>> forwardedFor) {
    if (proxies.isEmpty() && !warned.get() && !forwardedFor.get().isEmpty()) {
      warnOnce();
    }
    // Some servers give the peer in brackets or with a zone.
    IpAddress address = peer == null ? null : IpAddress.parseHop(peer);
    return address == null || !proxies.contains(address)
        ? address
        : behind(address, forwardedFor.get());
  }

  /** Goes from a trusted proxy to whom it was called by, and so on to the first not trusted. */
  private IpAddress behind(IpAddress proxy, List<String> lines) {
    IpAddress address = proxy;
    int hops = 0;
    int left = MOST_CHARACTERS;
    for (int i = lines.size() - 1; i >= 0; i--) {
      String line = lines.get(i);
      for (int start, end = line.length(); end >= 0; end = start - 1) {
        start = startOfHop(line, end, left);
        hops++;
        if (start < 0 || hops > MOST_HOPS) {
          return address;
        }
        IpAddress hop = IpText.readHop(line, start, end);
        if (hop == null) {
          return address;
        }
        address = hop;
        if (!proxies.contains(hop)) {
          return address;
        }
        left -= end - start + 1; // The comma counts too, or the line break in its place.
      }
    }
    return address;
  }

  /** Or -1 if the hop is longer than what is left: half an address could be another address. */
  private static int startOfHop(String line, int end, int left) {
    int start = end;
    while (start > 0 && line.charAt(start - 1) != ',') {
      start--;
      if (end - start > left) {
        return -1;
      }
    }
    return start;
  }

  private void warnOnce() {
    if (warned.compareAndSet(false, true)) {
      try {
        LOG.log(
            Level.WARNING,
            "STINT-HTTP-1: a request came with X-Forwarded-For, which Stint ignores because no proxy"
                + " is trusted. Requests are counted by the remote address that the server shows."
                + " If that is the address of your proxy, all clients behind it are counted as one:"
                + " set the trusted proxies to its addresses. If clients connect directly, or the"
                + " server itself reads the header, nothing is wrong. This is logged once.");
      } catch (RuntimeException e) {
        // A log that cannot be written must not cost anybody an answer.
      }
    }
  }
}
