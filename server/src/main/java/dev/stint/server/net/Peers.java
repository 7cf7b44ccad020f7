package dev.stint.server.net;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Which connections count as one peer: those of an IPv4 address, or of an IPv6 network (/64). */
final class Peers {

  private static final Object UNKNOWN = "unknown";

  private Peers() {}

  static Object of(@Nullable SocketAddress address) {
    if (!(address instanceof InetSocketAddress inet) || inet.getAddress() == null) {
      return UNKNOWN;
    }
    return inet.getAddress() instanceof Inet6Address six
        ? (Object) ByteBuffer.wrap(six.getAddress()).getLong()
        : inet.getAddress();
  }
}
