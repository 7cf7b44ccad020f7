package dev.stint.redis;

import java.util.Arrays;

/** Numbers in a row of bytes, the highest byte first, as {@code struct.unpack} reads them. */
final class Packed {

  private byte[] bytes;
  private int size;

  Packed(int room) {
    bytes = new byte[room];
  }

  /** Adds a number of so many bytes. */
  Packed put(int width, long number) {
    ensure(width);
    for (int shift = 8 * (width - 1); shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (number >>> shift);
    }
    return this;
  }

  Packed put(byte[] more) {
    ensure(more.length);
    System.arraycopy(more, 0, bytes, size, more.length);
    size += more.length;
    return this;
  }

  private void ensure(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }

  byte[] bytes() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }
}
