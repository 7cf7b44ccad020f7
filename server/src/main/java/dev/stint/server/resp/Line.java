package dev.stint.server.resp;

/**
 * A request that a person typed: words with blanks between them, in quotes where they hold blanks.
 */
final class Line {

  private final byte[] line;
  private final byte[] words;
  private final int to;
  private int at;
  private int length;
  private int count;

  Line(byte[] bytes, int from, int to) {
    this.line = bytes;
    this.at = from;
    this.to = to;
    this.words = new byte[to - from];
  }

  /** Finds the words, and tells where they lie in {@link #words}; false if it cannot. */
  boolean split(int[] starts, int[] lengths) {
    for (; ; ) {
      while (at < to && isBlank(line[at])) {
        at++;
      }
      if (at == to) {
        return true;
      }
      if (count == starts.length) {
        return false;
      }
      int start = length;
      if (!word()) {
        return false;
      }
      starts[count] = start;
      lengths[count++] = length - start;
    }
  }

  private boolean word() {
    byte quote = line[at];
    if (quote != '"' && quote != '\'') {
      while (at < to && !isBlank(line[at])) {
        words[length++] = line[at++];
      }
      return true;
    }
    at++;
    while (at < to && line[at] != quote) {
      if (line[at] == '\\' && at + 1 < to) {
        at++;
        words[length++] = quote == '"' ? meant(line[at]) : line[at];
      } else {
        words[length++] = line[at];
      }
      at++;
    }
    boolean closed = at < to;
    at++;
    return closed && (at == to || isBlank(line[at]));
  }

  private static byte meant(byte escaped) {
    return switch (escaped) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> escaped;
    };
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\r' || b == 0;
  }

  byte[] words() {
    return words;
  }

  int count() {
    return count;
  }
}
