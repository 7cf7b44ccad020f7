package dev.stint.server.resp;

import java.nio.charset.StandardCharsets;

/** What a client sent, made fit to stand in a sentence: short, and in plain letters. */
final class Words {

  private static final int LONGEST = 128;

  private Words() {}

  static String of(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return of(bytes, 0, bytes.length);
  }

  static String of(byte[] bytes, int from, int length) {
    StringBuilder words = new StringBuilder();
    for (int i = from; i < from + Math.min(length, LONGEST); i++) {
      words.append(bytes[i] >= ' ' && bytes[i] < 127 ? (char) bytes[i] : '?');
    }
    return words.append(length > LONGEST ? "..." : "").toString();
  }
}
