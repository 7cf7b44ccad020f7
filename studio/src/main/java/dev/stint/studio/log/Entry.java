package dev.stint.studio.log;

import java.util.Arrays;

/**
 * What one line says: when, who, how much. The same object is filled for every line.
 *
 * <p>A client may be told by several fields. They are noted where they lie, and put together, with
 * a byte between them that no log has, only if there are several.
 */
final class Entry {

  /** Stands between the parts of a key. */
  static final byte BETWEEN = 0;

  private static final int ABSENT = -1;

  long micros;
  long cost;

  private final byte[][] parts;
  private final int[] starts;
  private final int[] ends;
  private byte[] text = new byte[1 << 10];
  private int used;

  private byte[] key = text;
  private int from;
  private int to;

  /** An entry whose client is told by so many fields. */
  Entry(int fields) {
    parts = new byte[fields][];
    starts = new int[fields];
    ends = new int[fields];
  }

  /** A new line begins. */
  void begin() {
    cost = 1;
    used = 0;
    Arrays.fill(starts, ABSENT);
  }

  /** A part of the key lies there. */
  void part(int part, byte[] bytes, int start, int end) {
    parts[part] = bytes;
    starts[part] = start;
    ends[part] = end;
  }

  /** The number of a part that the line does not have; -1 if it has them all. */
  int missing() {
    for (int i = 0; i < starts.length; i++) {
      if (starts[i] == ABSENT || starts[i] == ends[i]) {
        return i;
      }
    }
    return -1;
  }

  /** Puts the key together. */
  void seal() {
    if (parts.length == 1) {
      key = parts[0];
      from = starts[0];
      to = ends[0];
      return;
    }
    // Of nobody it is empty: that is asked for only to see whether lines have the right shape.
    int begin = used;
    for (int i = 0; i < parts.length; i++) {
      if (i > 0) {
        add(BETWEEN);
      }
      reserve(ends[i] - starts[i]);
      System.arraycopy(parts[i], starts[i], text, used, ends[i] - starts[i]);
      used += ends[i] - starts[i];
    }
    key = text;
    from = begin;
    to = used;
  }

  /** What is in {@link #text} from here on is written next. */
  int mark() {
    return used;
  }

  /** Bytes that are not in the line as such. They stay where they are until the next line. */
  byte[] text() {
    return text;
  }

  /** Adds a byte to {@link #text}. */
  void add(int value) {
    reserve(1);
    text[used++] = (byte) value;
  }

  private void reserve(int more) {
    if (used + more > text.length) {
      // Parts that lie in the old one still do.
      text = Arrays.copyOf(text, Math.max(used + more, text.length * 2));
    }
  }

  byte[] key() {
    return key;
  }

  int keyFrom() {
    return from;
  }

  int keyTo() {
    return to;
  }
}
