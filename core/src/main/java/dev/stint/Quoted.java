package dev.stint;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Somebody else's text, made fit for an error message or a log line. */
final class Quoted {

  private static final int LONGEST = 64;

  private Quoted() {}

  /** The text in quotation marks. */
  static String of(@Nullable String text) {
    return text == null ? "null" : '"' + clip(text, LONGEST) + '"';
  }

  /** The text, or its beginning and its length. */
  static String clip(String text, int longest) {
    return text.length() <= longest
        ? escape(text)
        : escape(text.substring(0, longest)) + "... (" + text.length() + " characters)";
  }

  /** Shows what could not be seen, or would spoil a log line: all but plain text and letters. */
  private static String escape(String raw) {
    StringBuilder shown = new StringBuilder(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      boolean plain = c <= '~' ? c >= ' ' && c != '\\' : Character.isLetterOrDigit(c);
      shown.append(plain ? String.valueOf(c) : "\\u" + HexFormat.of().toHexDigits(c));
    }
    return shown.toString();
  }
}
