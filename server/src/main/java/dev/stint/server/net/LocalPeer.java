package dev.stint.server.net;

import io.netty.util.NetUtil;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells whether a request comes from this machine: over the loopback interface. */
public final class LocalPeer {

  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;
  private static final int MAPPED_IPV4 = 12;
  private static final byte LOOPBACK_NET = 127;

  /** What reverse proxies add. The peer is then the proxy, and says nothing about the caller. */
  private static final List<String> ADDED_BY_PROXIES =
      List.of("forwarded", "x-forwarded-for", "x-real-ip", "via");

  private LocalPeer() {}

  /**
   * Whether a program on this machine sent the request itself. A reverse proxy on this machine that
   * adds none of the headers of proxies cannot be told from such a program.
   */
  public static boolean sent(HttpServerRequest request) {
    MultiMap headers = request.headers();
    return isLoopback(request.remoteAddress())
        && ADDED_BY_PROXIES.stream().noneMatch(headers::contains);
  }

  /** Whether this is the loopback address of IPv4 or IPv6, or the former written as the latter. */
  public static boolean isLoopback(@Nullable SocketAddress peer) {
    String host = peer == null || !peer.isInetSocket() ? null : peer.hostAddress();
    if (host == null || !isAddress(host)) {
      return false;
    }
    int interfaceName = host.indexOf('%');
    String address = interfaceName < 0 ? host : host.substring(0, interfaceName);
    try {
      return isLoopback(InetAddress.getByName(address).getAddress());
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Whether this is no name, which would have to be looked up. */
  private static boolean isAddress(String host) {
    return NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
  }

  static boolean isLoopback(byte[] address) {
    if (address.length == IPV4_BYTES) {
      return address[0] == LOOPBACK_NET;
    }
    if (address.length != IPV6_BYTES) {
      return false;
    }
    for (int i = 0; i < MAPPED_IPV4 - 2; i++) {
      if (address[i] != 0) {
        return false;
      }
    }
    boolean isMapped = address[MAPPED_IPV4 - 2] == -1 && address[MAPPED_IPV4 - 1] == -1;
    return isMapped ? address[MAPPED_IPV4] == LOOPBACK_NET : isOne(address);
  }

  private static boolean isOne(byte[] address) {
    for (int i = MAPPED_IPV4 - 2; i < IPV6_BYTES - 1; i++) {
      if (address[i] != 0) {
        return false;
      }
    }
    return address[IPV6_BYTES - 1] == 1;
  }
}
