package dev.stint.http;

import org.jspecify.annotations.Nullable;

/**
 * Addresses as text.
 *
 * <p>Every request is read here, so reading makes nothing but the result. What is read in two ways
 * elsewhere is refused: {@code 010.1.1.1} is 8.1.1.1 to some and 10.1.1.1 to others.
 */
final class IpText {

  private static final int HIGHEST_PORT = 65_535;

  private IpText() {}

  // ---- reading ---------------------------------------------------------------------------------

  static @Nullable IpAddress read(String text, int from, int to) {
    long v4 = readV4(text, from, to);
    return v4 >= 0 ? IpAddress.v4(v4) : readV6(text, from, to);
  }

  /** Reads what stands between two commas of an {@code X-Forwarded-For}. */
  static @Nullable IpAddress readHop(String text, int from, int to) {
    while (from < to && isBlank(text.charAt(from))) {
      from++;
    }
    while (from < to && isBlank(text.charAt(to - 1))) {
      to--;
    }
    long v4 = readV4(text, from, to);
    if (v4 >= 0) {
      return IpAddress.v4(v4);
    }
    if (to - from >= 2 && text.charAt(from) == '"' && text.charAt(to - 1) == '"') {
      from++;
      to--;
    }
    return from < to ? readWithPort(text, from, to) : null;
  }

  private static @Nullable IpAddress readWithPort(String text, int from, int to) {
    if (text.charAt(from) == '[') {
      int close = find(']', text, from, to);
      boolean alone = close == to - 1;
      boolean port = !alone && close >= 0 && text.charAt(close + 1) == ':';
      return alone || (port && isPort(text, close + 2, to))
          ? readWithZone(text, from + 1, close)
          : null;
    }
    int colon = find(':', text, from, to);
    if (colon < 0 || find(':', text, colon + 1, to) >= 0) {
      // Several colons are IPv6, which has no port unless it stands in brackets.
      return readWithZone(text, from, to);
    }
    long v4 = isPort(text, colon + 1, to) ? readV4(text, from, colon) : -1;
    return v4 >= 0 ? IpAddress.v4(v4) : null;
  }

  /** A zone says which cable an address was seen on; it is not part of who that was. */
  private static @Nullable IpAddress readWithZone(String text, int from, int to) {
    int percent = find('%', text, from, to);
    if (percent < 0) {
      return read(text, from, to);
    }
    return percent < to - 1 ? readV6(text, from, percent) : null;
  }

  private static boolean isPort(String text, int from, int to) {
    int port = 0;
    for (int at = from; at < to; at++) {
      int digit = text.charAt(at) - '0';
      if (digit < 0 || digit > 9 || at - from == 5) {
        return false;
      }
      port = port * 10 + digit;
    }
    return from < to && port <= HIGHEST_PORT;
  }

  /** The 32 bits, or -1 if this is not four numbers from 0 to 255 without leading zeros. */
  private static long readV4(String text, int from, int to) {
    long bits = 0;
    int at = from;
    for (int part = 0; part < 4; part++) {
      if (part > 0) {
        if (at == to || text.charAt(at) != '.') {
          return -1;
        }
        at++;
      }
      int start = at;
      int value = 0;
      while (at < to && at - start < 3 && isDigit(text.charAt(at))) {
        value = value * 10 + text.charAt(at) - '0';
        at++;
      }
      boolean ambiguous = at - start > 1 && text.charAt(start) == '0';
      if (at == start || value > 255 || ambiguous) {
        return -1;
      }
      bits = bits << 8 | value;
    }
    return at == to ? bits : -1;
  }

  /**
   * Reads groups from the left and shifts each in from the right. At {@code ::} what was read so
   * far moves to the left end, and the rest is collected anew.
   */
  private static @Nullable IpAddress readV6(String text, int from, int to) {
    long leftHigh = 0;
    long leftLow = 0;
    long high = 0;
    long low = 0;
    int groups = 0;
    boolean gap = false;
    int at = from;
    do {
      if (at + 1 < to && text.charAt(at) == ':' && text.charAt(at + 1) == ':') {
        if (gap) {
          return null;
        }
        gap = true;
        for (int missing = groups; missing < 8; missing++) {
          high = high << 16 | low >>> 48;
          low <<= 16;
        }
        leftHigh = high;
        leftLow = low;
        high = 0;
        low = 0;
        at += 2;
        if (at == to) {
          break;
        }
      } else if (at > from) {
        if (text.charAt(at) != ':') {
          return null;
        }
        at++;
      }
      int start = at;
      int group = 0;
      while (at < to && at - start < 4 && hexDigit(text.charAt(at)) >= 0) {
        group = group << 4 | hexDigit(text.charAt(at));
        at++;
      }
      if (at < to && text.charAt(at) == '.') {
        long v4 = readV4(text, start, to);
        if (v4 < 0) {
          return null;
        }
        high = high << 32 | low >>> 32;
        low = low << 32 | v4;
        groups += 2;
        at = to;
      } else if (at > start) {
        high = high << 16 | low >>> 48;
        low = low << 16 | group;
        groups++;
      } else {
        return null;
      }
    } while (at < to && groups < 8);
    // A gap stands for at least one group.
    boolean whole = at == to && (gap ? groups < 8 : groups == 8);
    return whole ? new IpAddress(leftHigh | high, leftLow | low) : null;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Java takes the digits of all scripts for digits; an address has only those of ASCII. */
  private static int hexDigit(char c) {
    return c <= 'f' ? Character.digit(c, 16) : -1;
  }

  private static int find(char wanted, String text, int from, int to) {
    for (int at = from; at < to; at++) {
      if (text.charAt(at) == wanted) {
        return at;
      }
    }
    return -1;
  }

  // ---- writing ---------------------------------------------------------------------------------

  static String writeV4(long bits) {
    return (bits >>> 24 & 0xff)
        + "."
        + (bits >>> 16 & 0xff)
        + "."
        + (bits >>> 8 & 0xff)
        + "."
        + (bits & 0xff);
  }

  /** Lower case, no leading zeros, and {@code ::} for the first of the longest runs of zeros. */
  static String writeV6(long high, long low) {
    int gap = -1;
    int longest = 1; // A single zero stays as it is.
    for (int i = 0; i < 8; i++) {
      int run = 0;
      while (i + run < 8 && group(high, low, i + run) == 0) {
        run++;
      }
      if (run > longest) {
        gap = i;
        longest = run;
      }
    }
    StringBuilder text = new StringBuilder(39);
    for (int i = 0; i < 8; i++) {
      if (i == gap) {
        text.append("::");
        i += longest - 1;
      } else {
        if (i > 0 && text.charAt(text.length() - 1) != ':') {
          text.append(':');
        }
        text.append(Integer.toHexString(group(high, low, i)));
      }
    }
    return text.toString();
  }

  private static int group(long high, long low, int index) {
    long half = index < 4 ? high : low;
    return (int) (half >>> (48 - 16 * (index & 3))) & 0xffff;
  }
}
