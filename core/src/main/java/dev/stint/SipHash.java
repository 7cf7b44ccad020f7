package dev.stint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * SipHash-1-3 with 128 bits of result, under a secret drawn once per process.
 *
 * <p>Without the secret nobody can choose keys that meet in one place of a table or share a
 * fingerprint. The result has two words, so the hash is an object that is fed and then read; it lives
 * no longer than {@link Key}'s factory methods, where the compiler keeps it in registers.
 */
final class SipHash {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long SECRET_0;
  private static final long SECRET_1;

  static {
    SecureRandom random = new SecureRandom();
    SECRET_0 = random.nextLong();
    SECRET_1 = random.nextLong();
  }

  private long v0;
  private long v1;
  private long v2;
  private long v3;

  SipHash() {
    this(SECRET_0, SECRET_1);
  }

  SipHash(long secret0, long secret1) {
    v0 = secret0 ^ 0x736f6d6570736575L;
    v1 = secret1 ^ 0x646f72616e646f6dL ^ 0xee;
    v2 = secret0 ^ 0x6c7967656e657261L;
    v3 = secret1 ^ 0x7465646279746573L;
  }

  /** Feeds one word. */
  void word(long m) {
    v3 ^= m;
    round();
    v0 ^= m;
  }

  /** Feeds the characters of a string, eight to a word while all are Latin-1, and whether they were. */
  void string(String s, long tag) {
    if (!latin(s, tag)) {
      utf16(s, tag);
    }
  }

  /** Feeds all of {@code s}, or nothing at all if a character needs more than eight bits. */
  private boolean latin(String s, long tag) {
    long a0 = v0;
    long a1 = v1;
    long a2 = v2;
    long a3 = v3;
    int length = s.length();
    int all = 0;
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      int low = 0;
      int high = 0;
      for (int j = 0; j < 4; j++) {
        char c = s.charAt(i + j);
        char d = s.charAt(i + 4 + j);
        all |= c | d;
        low |= c << (8 * j);
        high |= d << (8 * j);
      }
      word(((long) high << 32) | (low & 0xffffffffL));
    }
    long last = 0;
    for (int shift = 0; i < length; i++, shift += 8) {
      char c = s.charAt(i);
      all |= c;
      last |= (long) c << shift;
    }
    if (all > 0xff) {
      v0 = a0;
      v1 = a1;
      v2 = a2;
      v3 = a3;
      return false;
    }
    word(last);
    word(((long) length << 8) | tag);
    return true;
  }

  private void utf16(String s, long tag) {
    int length = s.length();
    int i = 0;
    for (; i + 4 <= length; i += 4) {
      word(
          s.charAt(i)
              | (long) s.charAt(i + 1) << 16
              | (long) s.charAt(i + 2) << 32
              | (long) s.charAt(i + 3) << 48);
    }
    long last = 0;
    for (int shift = 0; i < length; i++, shift += 16) {
      last |= (long) s.charAt(i) << shift;
    }
    word(last);
    word(((long) length << 8) | tag | 0x80);
  }

  /** Feeds bytes. */
  void bytes(byte[] bytes, long tag) {
    int i = 0;
    for (; i + 8 <= bytes.length; i += 8) {
      word((long) LONGS.get(bytes, i));
    }
    long last = 0;
    for (int shift = 0; i < bytes.length; i++, shift += 8) {
      last |= (bytes[i] & 0xffL) << shift;
    }
    word(last);
    word(((long) bytes.length << 8) | tag);
  }

  /** The first word of the result. Call it once, after the last of the input. */
  long first() {
    v2 ^= 0xee;
    round();
    round();
    round();
    return v0 ^ v1 ^ v2 ^ v3;
  }

  /** The second word of the result. Call it once, after {@link #first}. */
  long second() {
    v1 ^= 0xdd;
    round();
    round();
    round();
    return v0 ^ v1 ^ v2 ^ v3;
  }

  private void round() {
    v0 += v1;
    v2 += v3;
    v1 = Long.rotateLeft(v1, 13) ^ v0;
    v3 = Long.rotateLeft(v3, 16) ^ v2;
    v0 = Long.rotateLeft(v0, 32);
    v2 += v1;
    v0 += v3;
    v1 = Long.rotateLeft(v1, 17) ^ v2;
    v3 = Long.rotateLeft(v3, 21) ^ v0;
    v2 = Long.rotateLeft(v2, 32);
  }
}
