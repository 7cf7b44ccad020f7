package dev.stint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * A hash of 128 bits under a secret drawn once per process: what a store in memory keeps in place
 * of a key.
 *
 * <p>It is SipHash-1-3. Without the secret nobody can choose keys that meet in one place of a table
 * or share a fingerprint. For stores; users have no need of it.
 *
 * <p>The result has two words, and a method returns one. So this is an object that is fed and then
 * read, out of methods so small that the compiler always inlines them and keeps it in registers.
 */
public final class Fingerprint {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long SECRET_0;
  private static final long SECRET_1;

  // What was fed, as a part of the last word.
  private static final long LATIN = 1;
  private static final long UTF16 = 2;
  private static final long BYTES = 3;
  private static final long NUMBER = 4;
  private static final long IDENTITY = 5;

  private static final long NOT_LATIN = -1;

  static {
    SecureRandom random = new SecureRandom();
    SECRET_0 = random.nextLong();
    SECRET_1 = random.nextLong();
  }

  private long v0;
  private long v1;
  private long v2;
  private long v3;

  /** A fingerprint of nothing yet. Feed it once, then read it. */
  public Fingerprint() {
    this(SECRET_0, SECRET_1);
  }

  Fingerprint(long secret0, long secret1) {
    v0 = secret0 ^ 0x736f6d6570736575L;
    v1 = secret1 ^ 0x646f72616e646f6dL ^ 0xee;
    v2 = secret0 ^ 0x6c7967656e657261L;
    v3 = secret1 ^ 0x7465646279746573L;
  }

  /** Feeds a key, given as its {@link Key#value} and {@link Key#number}. */
  public void feed(@Nullable Object value, long number) {
    if (value instanceof String text) {
      feed(text);
    } else if (value instanceof byte[] bytes) {
      feed(bytes);
    } else {
      feed(number);
    }
  }

  /**
   * Feeds text: eight characters to a word as long as they are Latin-1, and from the first block
   * that is not, after a word that says so, four.
   */
  public void feed(String text) {
    int length = text.length();
    int step = 8;
    int i = 0;
    long word;
    for (; ; ) {
      boolean ends = i + step > length;
      if (step == 8) {
        word = ends ? rest(text, i) : eight(text, i);
      } else {
        word = four(text, i);
      }
      if (step == 8 && word == NOT_LATIN) {
        step = 4;
      } else if (ends) {
        break;
      } else {
        i += step;
      }
      word(word);
    }
    word(word | last(step == 8 ? LATIN : UTF16, length));
  }

  /** Feeds bytes. */
  public void feed(byte[] bytes) {
    int i = 0;
    for (; i + 8 <= bytes.length; i += 8) {
      word((long) LONGS.get(bytes, i));
    }
    long last = 0;
    for (int shift = 0; i < bytes.length; i++, shift += 8) {
      last |= (bytes[i] & 0xffL) << shift;
    }
    word(last | last(BYTES, bytes.length));
  }

  /** Feeds a number. */
  public void feed(long number) {
    word(number);
    word(last(NUMBER, 0));
  }

  /** Feeds a limit's identity, which is none of a user's keys. */
  void feedIdentity(String text) {
    feed(text);
    word(last(IDENTITY, 0));
  }

  /** The first word of the result. Read it once, after the last of the input. */
  public long first() {
    v2 ^= 0xee;
    round();
    round();
    round();
    return v0 ^ v1 ^ v2 ^ v3;
  }

  /** The second word of the result. Read it once, after {@link #first}. */
  public long second() {
    v1 ^= 0xdd;
    round();
    round();
    round();
    return v0 ^ v1 ^ v2 ^ v3;
  }

  /** What ends the last word: no two kinds of key, and no two lengths, are fed the same words. */
  private static long last(long kind, int length) {
    return (kind | (length & 7) << 4) << 56;
  }

  /** Eight characters in eight bits each. */
  private static long eight(String text, int i) {
    int a = text.charAt(i);
    int b = text.charAt(i + 1);
    int c = text.charAt(i + 2);
    int d = text.charAt(i + 3);
    int e = text.charAt(i + 4);
    int f = text.charAt(i + 5);
    int g = text.charAt(i + 6);
    int h = text.charAt(i + 7);
    if ((a | b | c | d | e | f | g | h) > 0xff) {
      return NOT_LATIN;
    }
    long low = a | b << 8 | c << 16 | (long) d << 24;
    long high = e | f << 8 | g << 16 | (long) h << 24;
    return low | high << 32;
  }

  /** The last characters, fewer than eight, in eight bits each. */
  private static long rest(String text, int from) {
    long word = 0;
    for (int i = text.length() - 1; i >= from; i--) {
      char c = text.charAt(i);
      if (c > 0xff) {
        return NOT_LATIN;
      }
      word = word << 8 | c;
    }
    return word;
  }

  /** Four characters, or what is left of them, in sixteen bits each. */
  private static long four(String text, int from) {
    long word = 0;
    for (int i = Math.min(from + 4, text.length()) - 1; i >= from; i--) {
      word = word << 16 | text.charAt(i);
    }
    return word;
  }

  private void word(long m) {
    v3 ^= m;
    round();
    v0 ^= m;
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
