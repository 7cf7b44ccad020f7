package dev.stint.benchmarks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * Makes keys as a server sees them: sixteen characters, read from a buffer that is used again and
 * again, a new object each time. One per thread.
 *
 * <p>The methods are not inlined, so that a key costs the same whoever uses it, and no compiler can
 * leave the object out for one contestant and not for another.
 */
public final class KeyMaker {

  static final int LENGTH = 16;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  // The text lies in the middle, so that two threads' buffers never share a cache line.
  private static final int OFFSET = 128;

  private final byte[] buffer = new byte[2 * OFFSET + LENGTH];

  /** Text: the hexadecimal digits of {@link #number}. */
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public String text(int index) {
    write(number(index));
    return new String(buffer, OFFSET, LENGTH, StandardCharsets.ISO_8859_1);
  }

  /** The same characters as bytes. */
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public byte[] bytes(int index) {
    write(number(index));
    return Arrays.copyOfRange(buffer, OFFSET, OFFSET + LENGTH);
  }

  /** A number that looks random and is another one for every index. */
  static long number(int index) {
    long z = (index + 1L) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  private void write(long number) {
    LONGS.set(buffer, OFFSET, digits((int) (number >>> 32)));
    LONGS.set(buffer, OFFSET + 8, digits((int) number));
  }

  /** Eight hexadecimal digits, one in each byte, all eight at a time. */
  static long digits(int value) {
    long x = value & 0xFFFFFFFFL;
    x = (x | x << 16) & 0x0000FFFF0000FFFFL;
    x = (x | x << 8) & 0x00FF00FF00FF00FFL;
    x = (x | x << 4) & 0x0F0F0F0F0F0F0F0FL;
    long letters = ((x + 0x0606060606060606L) >>> 4) & 0x0101010101010101L;
    return x + 0x3030303030303030L + letters * ('a' - '0' - 10);
  }
}
