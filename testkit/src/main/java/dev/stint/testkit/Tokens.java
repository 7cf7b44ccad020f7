package dev.stint.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of a scene's steps, each with its place, read one after another. */
final class Tokens {

  // An arrow, a punctuation mark, or a run of anything else.
  private static final Pattern TOKEN = Pattern.compile("→|->|[,;:]|(?:(?!->)[^\\s,;:→])+");

  /** A word and where it stands, both counted from 1. */
  record Token(String text, int line, int column) {}

  private final String source;
  private final List<Token> tokens = new ArrayList<>();
  private int next;

  Tokens(String source) {
    this.source = source;
  }

  void addLine(String text, int line) {
    Matcher matcher = TOKEN.matcher(text);
    while (matcher.find()) {
      tokens.add(new Token(matcher.group(), line, matcher.start() + 1));
    }
  }

  boolean hasNext() {
    return next < tokens.size();
  }

  int position() {
    return next;
  }

  /** The line of the next word. */
  int line() {
    return tokens.get(next).line;
  }

  /** The next word, without taking it; empty at the end. */
  String peek() {
    return hasNext() ? tokens.get(next).text : "";
  }

  boolean nextIs(String text) {
    return peek().equals(text);
  }

  /** Takes the next word if it is {@code text}. */
  boolean skip(String text) {
    boolean there = nextIs(text);
    next += there ? 1 : 0;
    return there;
  }

  /** Puts the last word back, so that an error points at it. */
  void back() {
    next--;
  }

  String take(String what) {
    if (!hasNext()) {
      throw error("expected " + what + ", but the timeline ends");
    }
    return tokens.get(next++).text;
  }

  long takeNumber(String what) {
    String word = take(what);
    try {
      return Long.parseLong(word.replace("_", ""));
    } catch (NumberFormatException e) {
      back();
      throw error("expected " + what + ", a whole number: '" + word + "'");
    }
  }

  long takeSpan(String what) {
    if (!Span.looksLike(peek())) {
      throw error("expected " + what + ", a time such as 250ms: '" + peek() + "'");
    }
    try {
      return Span.parse(take(what));
    } catch (IllegalArgumentException e) {
      back();
      throw error(String.valueOf(e.getMessage()));
    }
  }

  /** The words from one position up to another, as they might have been written. */
  String text(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (Token token : tokens.subList(from, to)) {
      boolean mark = token.text.length() == 1 && ",;:".contains(token.text);
      text.append(text.isEmpty() || mark ? "" : " ").append(token.text);
    }
    return text.toString();
  }

  /** What is wrong with the next word, with its place. */
  IllegalArgumentException error(String sentence) {
    return errorAt(next, sentence);
  }

  /** What is wrong with the word at a position; beyond the last it is what follows that. */
  IllegalArgumentException errorAt(int position, String sentence) {
    if (position < tokens.size()) {
      Token at = tokens.get(position);
      return error(source, at.line, at.column, sentence);
    }
    Token last = tokens.get(tokens.size() - 1);
    return error(source, last.line, last.column + last.text.length(), sentence);
  }

  static IllegalArgumentException error(String source, int line, int column, String sentence) {
    return new IllegalArgumentException(source + ":" + line + ":" + column + ": " + sentence);
  }
}
