package dev.stint.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads keys out of paths and queries, where they are percent-encoded UTF-8. */
final class Percent {

  private Percent() {}

  /** The value of a parameter, as it was sent; null if there is none. */
  static @Nullable String parameter(@Nullable String query, String name) {
    if (query == null) {
      return null;
    }
    String found = null;
    int start = 0;
    while (start <= query.length()) {
      int end = query.indexOf('&', start);
      end = end < 0 ? query.length() : end;
      int equals = start + name.length();
      if (query.startsWith(name, start) && equals <= end) {
        if (equals == end || query.charAt(equals) == '=') {
          if (found != null) {
            throw Refused.bad(name + " must be given once, was given twice; remove one");
          }
          found = query.substring(Math.min(equals + 1, end), end);
        }
      }
      start = end + 1;
    }
    return found;
  }

  /**
   * The bytes that were meant, which are UTF-8.
   *
   * @param what the name of the text, for messages
   * @param plusIsBlank whether it is from a query
   */
  static byte[] decode(String text, String what, boolean plusIsBlank) {
    byte[] bytes = new byte[text.length()];
    int size = 0;
    boolean plain = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int value = c;
      if (c == '%') {
        value = hex(text, i + 1) << 4 | hex(text, i + 2);
        if (value < 0) {
          throw Refused.bad(
              what + " must be percent-encoded, but a % has no two hexadecimal digits; write %25");
        }
        i += 2;
      } else if (c == '+' && plusIsBlank) {
        value = ' ';
      }
      plain &= value < 0x80;
      bytes[size++] = (byte) value; // beyond ASCII a character stands for one byte of the request
    }
    byte[] decoded = size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    if (!plain) {
      checkUtf8(decoded, what);
    }
    return decoded;
  }

  private static int hex(String text, int i) {
    // -1 of either digit makes the whole negative
    return i < text.length() ? Character.digit(text.charAt(i), 16) : -1;
  }

  private static void checkUtf8(byte[] bytes, String what) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
    } catch (CharacterCodingException e) {
      throw Refused.bad(
          what
              + " must be UTF-8, but has bytes that are not; encode it so before percent-encoding");
    }
  }
}
