package dev.stint.server.config;

import java.util.HexFormat;

/** Shows text from a file in a message, in one line and not too long. */
final class Quote {

  private static final int LONGEST = 60;

  private Quote() {}

  static String of(String text) {
    boolean isLong = text.length() > LONGEST;
    return "'" + escape(isLong ? text.substring(0, LONGEST) : text) + (isLong ? "…'" : "'");
  }

  static String escape(String raw) {
    StringBuilder shown = new StringBuilder(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      boolean plain = c <= '~' ? c >= ' ' : Character.isLetterOrDigit(c);
      shown.append(plain ? String.valueOf(c) : "\\u" + HexFormat.of().toHexDigits(c));
    }
    return shown.toString();
  }
}
