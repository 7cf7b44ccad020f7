package dev.stint.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Decodes {@code %2e} as UTF-8, and {@code %u002e} as some servers do. What is not an escape stays
 * as it is, as with servers that are lenient; strict ones refuse such a path and route it nowhere.
 */
final class PercentDecoder {

  private PercentDecoder() {}

  static String decode(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    int i = 0;
    while (i < text.length()) {
      int wide = isWide(text, i) ? hex(text, i + 2, 4) : -1;
      int narrow = text.charAt(i) == '%' ? hex(text, i + 1, 2) : -1;
      if (wide >= 0) {
        bytes.writeBytes(Character.toString(wide).getBytes(StandardCharsets.UTF_8));
        i += 6;
      } else if (narrow >= 0) {
        bytes.write(narrow);
        i += 3;
      } else {
        int next = text.codePointAt(i);
        bytes.writeBytes(Character.toString(next).getBytes(StandardCharsets.UTF_8));
        i += Character.charCount(next);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static boolean isWide(String text, int at) {
    return text.regionMatches(true, at, "%u", 0, 2);
  }

  /** The number that so many hexadecimal digits make; -1 if they are not there. */
  private static int hex(String text, int at, int digits) {
    if (at + digits > text.length()) {
      return -1;
    }
    int number = 0;
    for (int i = at; i < at + digits; i++) {
      char c = text.charAt(i);
      int digit = c < 128 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        return -1;
      }
      number = number * 16 + digit;
    }
    return number;
  }
}
