package dev.stint.server.resp;

import dev.stint.server.net.RejectionCause;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Answers as bytes, one after the other, until they are sent together. */
final class Reply {

  private static final int LONGEST_LINE = 24;

  private byte[] bytes = new byte[4096];
  private int length;

  int length() {
    return length;
  }

  byte[] bytes() {
    return bytes;
  }

  void clear() {
    length = 0;
  }

  /** Forgets what was written since {@code mark}. */
  void cut(int mark) {
    length = mark;
  }

  /** Why a request was rejected whose answer was written since {@code mark}; null if it was not. */
  @Nullable RejectionCause rejectionSince(int mark) {
    if (length == mark || bytes[mark] != '-') {
      return null;
    }
    if (startsWith("-NOAUTH", mark) || startsWith("-WRONGPASS", mark)) {
      return RejectionCause.UNAUTHENTICATED;
    }
    if (startsWith("-NOPERM", mark)) {
      return RejectionCause.FORBIDDEN;
    }
    return startsWith("-ERR unknown command", mark)
        ? RejectionCause.NOT_FOUND
        : RejectionCause.MALFORMED;
  }

  private boolean startsWith(String start, int mark) {
    for (int i = 0; i < start.length(); i++) {
      if (mark + i >= length || bytes[mark + i] != start.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** What was written since {@code mark}, taken out. */
  byte[] takeFrom(int mark) {
    byte[] taken = Arrays.copyOfRange(bytes, mark, length);
    length = mark;
    return taken;
  }

  /** Answers that were made ready before. */
  Reply raw(byte[] ready) {
    reserve(ready.length);
    System.arraycopy(ready, 0, bytes, length, ready.length);
    length += ready.length;
    return this;
  }

  Reply ok() {
    return simple("OK");
  }

  Reply simple(String word) {
    return line('+', word);
  }

  /** An error: a code in capitals, then a sentence. */
  Reply error(String sentence) {
    return line('-', sentence);
  }

  Reply array(int size) {
    return header('*', size);
  }

  /** As many pairs; a list of keys and values for those who do not know maps. */
  Reply map(int pairs, boolean maps) {
    return maps ? header('%', pairs) : header('*', 2L * pairs);
  }

  Reply nothing(boolean nulls) {
    return nulls ? line('_', "") : header('$', -1);
  }

  Reply integer(long n) {
    return header(':', n);
  }

  Reply bulk(String text) {
    return bulk(text.getBytes(StandardCharsets.UTF_8));
  }

  Reply bulk(byte[] text) {
    header('$', text.length);
    raw(text);
    reserve(2);
    end();
    return this;
  }

  private Reply line(char kind, String text) {
    byte[] ascii = text.getBytes(StandardCharsets.UTF_8);
    reserve(ascii.length + 3);
    bytes[length++] = (byte) kind;
    System.arraycopy(ascii, 0, bytes, length, ascii.length);
    length += ascii.length;
    end();
    return this;
  }

  private Reply header(char kind, long n) {
    reserve(LONGEST_LINE);
    bytes[length++] = (byte) kind;
    digits(n);
    end();
    return this;
  }

  private void digits(long n) {
    if (n < 0) {
      bytes[length++] = '-';
    }
    int size = 1;
    for (long rest = n / 10; rest != 0; rest /= 10) {
      size++;
    }
    long rest = n;
    for (int at = length + size - 1; at >= length; at--) {
      bytes[at] = (byte) ('0' + Math.abs(rest % 10));
      rest /= 10;
    }
    length += size;
  }

  private void end() {
    bytes[length] = '\r';
    bytes[length + 1] = '\n';
    length += 2;
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }
}
