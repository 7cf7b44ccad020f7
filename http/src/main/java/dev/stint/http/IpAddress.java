package dev.stint.http;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * An IPv4 or IPv6 address, known by its bits and never looked up.
 *
 * <p>An IPv4 address inside an IPv6 one, such as {@code ::ffff:192.0.2.1}, is that IPv4 address: a
 * client must not be two clients because a socket speaks both families.
 */
public final class IpAddress {

  /** What stands above the 32 bits of an IPv4 address, which is kept as it is mapped into IPv6. */
  private static final long MAPPED = 0xffffL;

  private final long high;
  private final long low;

  IpAddress(long high, long low) {
    this.high = high;
    this.low = low;
  }

  static IpAddress v4(long bits) {
    return new IpAddress(0, MAPPED << 32 | bits);
  }

  /** The address of a socket, for instance. */
  public static IpAddress of(InetAddress address) {
    byte[] bytes = address.getAddress();
    long high = 0;
    long low = 0;
    for (byte b : bytes) {
      high = high << 8 | low >>> 56;
      low = low << 8 | (b & 0xff);
    }
    return bytes.length == 4 ? v4(low) : new IpAddress(high, low);
  }

  /** Reads an address and nothing else; null if the text is anything else. */
  static @Nullable IpAddress parse(String text) {
    return IpText.read(text, 0, text.length());
  }

  /** Reads an address as proxies write it, perhaps with blanks, quotes, brackets, port and zone. */
  static @Nullable IpAddress parseHop(String text) {
    return IpText.readHop(text, 0, text.length());
  }

  /** Whether this is an IPv4 address, however it was written. */
  public boolean isV4() {
    return high == 0 && low >>> 32 == MAPPED;
  }

  /**
   * Whom to count this address for: an IPv4 address for itself, an IPv6 address for its prefix,
   * such as {@code 2001:db8:1:2::/64}, because whoever has one address of a prefix has them all.
   *
   * @param v6Prefix from 1 to 128 bits; 128 counts every IPv6 address for itself
   */
  public String group(int v6Prefix) {
    if (v6Prefix < 1 || v6Prefix > 128) {
      throw new IllegalArgumentException(
          "an IPv6 prefix must be from 1 to 128 bits: " + v6Prefix + "; 64 is the usual one");
    }
    return isV4() || v6Prefix == 128 ? toString() : first(v6Prefix) + "/" + v6Prefix;
  }

  // ---- as a number of 128 bits -----------------------------------------------------------------

  /** The first address with the same {@code prefix} bits, of 128 for IPv4 too. */
  IpAddress first(int prefix) {
    return new IpAddress(high & highMask(prefix), low & lowMask(prefix));
  }

  /** The last address with the same {@code prefix} bits, of 128 for IPv4 too. */
  IpAddress last(int prefix) {
    return new IpAddress(high | ~highMask(prefix), low | ~lowMask(prefix));
  }

  /** Java shifts by 64 as by 0, hence the three cases in these two. */
  private static long highMask(int prefix) {
    return prefix == 0 ? 0 : prefix >= 64 ? -1 : -1L << (64 - prefix);
  }

  private static long lowMask(int prefix) {
    return prefix <= 64 ? 0 : -1L << (128 - prefix);
  }

  boolean isAfter(IpAddress that) {
    return compare(this, that) > 0;
  }

  /** Whether no address lies between that one and this one, which follows it. */
  boolean isNextAfter(IpAddress that) {
    return low == that.low + 1 && high == (low == 0 ? that.high + 1 : that.high);
  }

  static int compare(IpAddress a, IpAddress b) {
    int byHigh = Long.compareUnsigned(a.high, b.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(a.low, b.low);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IpAddress that && high == that.high && low == that.low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(high * 31 + low);
  }

  /** The one usual spelling: dotted decimal, or for IPv6 what RFC 5952 recommends. */
  @Override
  public String toString() {
    return isV4() ? IpText.writeV4(low) : IpText.writeV6(high, low);
  }
}
