package dev.stint.http;

import org.jspecify.annotations.Nullable;

/** One address, or all that begin with the same bits. */
final class AddressRange {

  /** How many bits of the 128 come before those of an IPv4 address. */
  private static final int BEFORE_V4 = 96;

  private final IpAddress first;

  /** Of 128 bits, for IPv4 too. */
  private final int prefix;

  private AddressRange(IpAddress first, int prefix) {
    this.first = first;
    this.prefix = prefix;
  }

  /** Reads {@code 203.0.113.7}, {@code 10.0.0.0/8}, {@code 2001:db8::/32}. */
  static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    String written = slash < 0 ? text : text.substring(0, slash);
    IpAddress address = IpAddress.parse(written);
    if (address == null) {
      throw new IllegalArgumentException(
          "an address range must be an address such as 203.0.113.7 or a prefix such as"
              + " 10.0.0.0/8: "
              + quoted(text));
    }
    if (slash < 0) {
      return new AddressRange(address, 128);
    }
    // ::ffff:10.0.0.0/104 counts its bits as IPv6 does, though it is 10.0.0.0/8.
    int before = written.indexOf(':') < 0 ? BEFORE_V4 : 0;
    int length = length(text, slash + 1, 128 - before);
    AddressRange range = new AddressRange(address.first(before + length), before + length);
    if (!range.first.equals(address)) {
      throw new IllegalArgumentException(
          "an address range must have no bits set beyond its prefix: "
              + quoted(text)
              + "; did you mean "
              + range
              + "?");
    }
    return range;
  }

  private static int length(String text, int from, int longest) {
    int length = 0;
    boolean plain = from < text.length() && text.length() - from <= 3;
    for (int at = from; plain && at < text.length(); at++) {
      int digit = text.charAt(at) - '0';
      plain = digit >= 0 && digit <= 9 && (at == from || length > 0);
      length = length * 10 + digit;
    }
    if (!plain || length > longest) {
      throw new IllegalArgumentException(
          "the prefix of an address range must be a whole number from 0 to "
              + longest
              + ": "
              + quoted(text));
    }
    return length;
  }

  private static String quoted(String text) {
    return '"' + (text.length() <= 64 ? text : text.substring(0, 64) + "...") + '"';
  }

  boolean isV4() {
    return first.isV4();
  }

  IpAddress first() {
    return first;
  }

  IpAddress last() {
    return first.last(prefix);
  }

  /** Whether the address is of this range, and of its family: {@code ::/0} holds no IPv4. */
  boolean contains(IpAddress address) {
    return address.isV4() == isV4() && address.first(prefix).equals(first);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AddressRange that && prefix == that.prefix && first.equals(that.first);
  }

  @Override
  public int hashCode() {
    return 31 * first.hashCode() + prefix;
  }

  @Override
  public String toString() {
    return prefix == 128 ? first.toString() : first + "/" + (isV4() ? prefix - BEFORE_V4 : prefix);
  }
}
