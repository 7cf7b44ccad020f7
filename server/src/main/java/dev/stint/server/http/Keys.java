package dev.stint.server.http;

import java.nio.charset.StandardCharsets;

/** The rules for keys, wherever in a request they stand. */
final class Keys {

  private final int longest;

  Keys(int longest) {
    this.longest = longest;
  }

  /** The bytes of a key. */
  byte[] of(String text, String what) {
    int broken = halfPair(text);
    if (broken >= 0) {
      throw Refused.bad(
          what
              + " must be Unicode, but character "
              + (broken + 1)
              + " is half of a surrogate pair; send both halves");
    }
    return checked(text.getBytes(StandardCharsets.UTF_8), what);
  }

  /** The key, if it has a length that a key may have. */
  byte[] checked(byte[] key, String what) {
    if (key.length == 0) {
      throw missing(what, "was empty");
    }
    if (key.length > longest) {
      throw Refused.bad(
          what
              + " must have at most "
              + longest
              + " bytes of UTF-8, had "
              + key.length
              + "; shorten or hash it");
    }
    return key;
  }

  Refused missing(String what, String was) {
    return Refused.bad(
        what
            + " must be a text of 1 to "
            + longest
            + " bytes, "
            + was
            + "; give one such as alice");
  }

  /** Where half a pair is; -1 if there is none. */
  private static int halfPair(String text) {
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) {
        i++;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i += 2;
      } else {
        return i;
      }
    }
    return -1;
  }
}
