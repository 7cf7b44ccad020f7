package dev.stint;

import java.util.function.IntPredicate;

/**
 * A place in a rate string: takes words and numbers from it one after the other, and makes the
 * errors that say where something was wrong.
 *
 * <p>The cursor always rests on the first character of a token or at the end, never on a blank.
 * Every character is looked at a bounded number of times, so that hostile text costs linear time.
 */
final class RateCursor {
  private static final String SEPARATORS = ",;|";
  private static final long LARGEST = 1L << 52;
  private static final int EXCERPT = 60;
  private static final int LONGEST_TOKEN = 40;

  private final String text;
  private int at;

  RateCursor(String text) {
    this.text = text;
    skipBlanks();
  }

  /** The position of the next token, counted from 1 in {@code char}s. */
  int column() {
    return at + 1;
  }

  boolean atEnd() {
    return at == text.length();
  }

  boolean atSeparator() {
    return !atEnd() && isSeparator(text.charAt(at));
  }

  /** Whether a number comes next, be it a well-formed one or not. */
  boolean atNumber() {
    return !atEnd() && isNumeric(text.charAt(at));
  }

  boolean take(char expected) {
    if (atEnd() || text.charAt(at) != expected) {
      return false;
    }
    at++;
    skipBlanks();
    return true;
  }

  boolean takeSeparator() {
    return atSeparator() && take(text.charAt(at));
  }

  boolean takeWord(String expected) {
    if (!peekWord().equals(expected)) {
      return false;
    }
    word();
    return true;
  }

  String peekWord() {
    int before = at;
    String word = word();
    at = before;
    return word;
  }

  /** Takes a word, in lower case; empty if none comes next. */
  String word() {
    return atNumber() ? "" : lower(run(c -> !endsToken(c) && !isDigit(c)));
  }

  /** Takes a whole number from 1 to the largest that {@link Limit} takes anywhere. */
  long number(String what) {
    int column = column();
    if (!atNumber()) {
      throw expected("a whole number", "");
    }
    String digits = run(RateCursor::isNumeric);
    long number = valueOf(digits);
    if (number < 1 || number > LARGEST) {
      String range = " must be a whole number from 1 to " + LARGEST + " in plain digits";
      throw error(column, what, range + ", was " + quote(digits));
    }
    return number;
  }

  /** Takes everything up to the next blank or separator, as it is written. */
  String name() {
    return run(c -> !isBlank(c) && !isSeparator(c));
  }

  /** What comes next, for a message. */
  String found() {
    if (atEnd()) {
      return "nothing";
    }
    int end = at + 1;
    while (!endsToken(text.charAt(at)) && end < text.length() && !endsToken(text.charAt(end))) {
      end++;
    }
    return quote(text.substring(at, end));
  }

  /** The refusal of what comes next, where something else must be. */
  IllegalArgumentException expected(String what, String cure) {
    return error(column(), what + " must stand", ", was " + found() + cure);
  }

  /** The refusal of the word that comes next. */
  IllegalArgumentException unknown(String what, String cure) {
    return error(column(), "unknown " + what + " " + found(), cure);
  }

  /** The refusal of this text in a sentence that tells the column between its two halves. */
  IllegalArgumentException error(int column, String before, String after) {
    return new IllegalArgumentException(sentence(column, before + " at column " + column + after));
  }

  /** The refusal of this text because of what a factory of {@link Limit} said. */
  IllegalArgumentException error(int column, IllegalArgumentException cause) {
    String reason = "at column " + column + ": " + cause.getMessage();
    return new IllegalArgumentException(sentence(column, reason), cause);
  }

  private String sentence(int column, String problem) {
    return "rate string \"" + excerpt(column) + "\": " + problem;
  }

  private static String quote(String token) {
    return "'" + Quoted.clip(token, LONGEST_TOKEN) + "'";
  }

  private String excerpt(int column) {
    if (text.length() <= EXCERPT) {
      return Quoted.clip(text, EXCERPT);
    }
    int from = Math.max(0, Math.min(column - 1 - EXCERPT / 2, text.length() - EXCERPT));
    int to = from + EXCERPT;
    String shown = Quoted.clip(text.substring(from, to), EXCERPT);
    return (from > 0 ? "..." : "") + shown + (to < text.length() ? "..." : "");
  }

  /** The number these digits make; -1 if they are not all digits or make one beyond all bounds. */
  private static long valueOf(String digits) {
    long value = 0;
    for (int i = 0; i < digits.length(); i++) {
      if (!isDigit(digits.charAt(i)) || value > LARGEST) {
        return -1;
      }
      value = value * 10 + (digits.charAt(i) - '0');
    }
    return value;
  }

  private String run(IntPredicate belongs) {
    int from = at;
    while (!atEnd() && belongs.test(text.charAt(at))) {
      at++;
    }
    String taken = text.substring(from, at);
    skipBlanks();
    return taken;
  }

  private void skipBlanks() {
    while (!atEnd() && isBlank(text.charAt(at))) {
      at++;
    }
  }

  /** ASCII only: in Unicode the Kelvin sign, too, is a capital k. */
  private static String lower(String word) {
    StringBuilder lower = new StringBuilder(word);
    for (int i = 0; i < lower.length(); i++) {
      char c = lower.charAt(i);
      lower.setCharAt(i, c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
    }
    return lower.toString();
  }

  private static boolean endsToken(int c) {
    return isBlank(c) || isSeparator(c) || c == '/';
  }

  private static boolean isBlank(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private static boolean isSeparator(int c) {
    return SEPARATORS.indexOf(c) >= 0;
  }

  private static boolean isNumeric(int c) {
    return isDigit(c) || "+-._".indexOf(c) >= 0;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }
}
