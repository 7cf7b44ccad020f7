package dev.stint.studio.log;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Cuts a stream into lines, in a buffer that is used again and again. */
final class Lines {

  /** Longer lines are no lines of a log. */
  static final int LONGEST = 1 << 16;

  private static final int ROOM = 1 << 18;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long NEWLINES = 0x0a0a0a0a0a0a0a0aL;
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  private final InputStream stream;
  private final byte[] buffer = new byte[ROOM];
  private int next;
  private int end;
  private boolean ended;
  private int from;
  private int to;
  private boolean tooLong;

  Lines(InputStream stream) {
    this.stream = stream;
  }

  /** Goes to the next line; false if there is none. */
  boolean next() throws IOException {
    int newline = newline(next);
    while (newline < 0 && !ended && end - next <= LONGEST) {
      int seen = end - next;
      fill();
      newline = newline(next + seen);
    }
    if (newline < 0 && end - next > LONGEST) {
      return skip();
    }
    if (newline < 0 && next == end) {
      return false;
    }
    tooLong = newline - next > LONGEST;
    from = next;
    to = tooLong ? next : newline < 0 ? end : newline;
    next = newline < 0 ? end : newline + 1;
    if (to > from && buffer[to - 1] == '\r') {
      to--;
    }
    return true;
  }

  /** Leaves out the rest of a line that has no end in sight. */
  private boolean skip() throws IOException {
    tooLong = true;
    int newline = -1;
    while (newline < 0 && !ended) {
      next = end;
      fill();
      newline = newline(next);
    }
    next = newline < 0 ? end : newline + 1;
    from = 0;
    to = 0;
    return true;
  }

  private void fill() throws IOException {
    if (next > 0) {
      System.arraycopy(buffer, next, buffer, 0, end - next);
      end -= next;
      next = 0;
    }
    int read = stream.read(buffer, end, buffer.length - end);
    if (read < 0) {
      ended = true;
    } else {
      end += read;
    }
  }

  /** The next newline; eight bytes are looked at together. */
  private int newline(int start) {
    int i = start;
    for (; i + 8 <= end; i += 8) {
      long word = (long) LONGS.get(buffer, i) ^ NEWLINES;
      long found = (word - ONES) & ~word & HIGHS;
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    for (; i < end; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  byte[] bytes() {
    return buffer;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  /** Whether the line is longer than a line may be; then nothing of it is there. */
  boolean isTooLong() {
    return tooLong;
  }
}
