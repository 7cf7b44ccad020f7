package dev.stint.server.http;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * JSON in the making, in an array that is used again for the next answer: each event loop has one.
 *
 * <p>It writes what it is told and puts no commas of its own.
 */
final class JsonBytes {

  private static final int USUAL = 4 << 10;
  private static final int KEPT = 64 << 10;
  private static final byte[] HEX = ascii("0123456789abcdef");
  private static final byte[] TRUE = ascii("true");
  private static final byte[] FALSE = ascii("false");
  private static final int MICRO_DIGITS = 6;
  private static final int LONGEST_NUMBER = 20;

  private byte[] bytes = new byte[USUAL];
  private int size;

  /** The bytes of a text of ours, to be {@linkplain #raw written} again and again. */
  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Begins anew. */
  JsonBytes clear() {
    size = 0;
    if (bytes.length > KEPT) { // a big batch must not be paid for ever after
      bytes = new byte[USUAL];
    }
    return this;
  }

  JsonBytes raw(byte[] ascii) {
    room(ascii.length);
    System.arraycopy(ascii, 0, bytes, size, ascii.length);
    size += ascii.length;
    return this;
  }

  JsonBytes raw(char ascii) {
    room(1);
    bytes[size++] = (byte) ascii;
    return this;
  }

  JsonBytes bool(boolean value) {
    return raw(value ? TRUE : FALSE);
  }

  JsonBytes number(long value) {
    if (value < 0) {
      return raw(ascii(Long.toString(value))); // never on a usual way
    }
    room(LONGEST_NUMBER);
    int digits = 1;
    for (long rest = value / 10; rest > 0; rest /= 10) {
      digits++;
    }
    digits(value, digits);
    return this;
  }

  private void digits(long value, int count) {
    long rest = value;
    for (int i = size + count - 1; i >= size; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size += count;
  }

  /** Seconds with as many decimals as they need, six at most: nothing here is finer. */
  JsonBytes seconds(Duration duration) {
    number(duration.getSeconds());
    int micros = duration.getNano() / 1000;
    if (micros > 0) {
      room(1 + MICRO_DIGITS);
      bytes[size++] = '.';
      digits(micros, MICRO_DIGITS);
      while (bytes[size - 1] == '0') {
        size--;
      }
    }
    return this;
  }

  /** A text in quotation marks, with everything escaped that must be. */
  JsonBytes text(String text) {
    raw('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c < 0x7f && c != '"' && c != '\\') {
        raw(c);
      } else {
        escape(c);
      }
    }
    return raw('"');
  }

  /** All but plain ASCII is escaped: then half a surrogate pair does no harm either. */
  private void escape(char c) {
    if (c == '"' || c == '\\') {
      raw('\\').raw(c);
      return;
    }
    room(6);
    bytes[size++] = '\\';
    bytes[size++] = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
      bytes[size++] = HEX[(c >> shift) & 0xf];
    }
  }

  /** Makes room for so many bytes more. */
  void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }

  /** What was written, without a copy: nothing may be written after that. */
  Buffer takeBuffer() {
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes, 0, size));
  }

  /** A copy of what was written. */
  Buffer toBuffer() {
    return Buffer.buffer(size).appendBytes(bytes, 0, size);
  }
}
