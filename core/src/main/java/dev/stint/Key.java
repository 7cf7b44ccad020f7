package dev.stint;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whom a limit is counted for: a user, an address, a tenant.
 *
 * <p>A {@code String} will do nearly always, and most methods take one as it is. Use {@link
 * #of(byte[])} or {@link #of(long)} when that is what you already have, to save the conversion. The
 * three kinds never meet: {@code Key.of("7")}, {@code Key.of(7)} and {@code Key.of(new byte[] {'7'})}
 * are three keys.
 *
 * <p>Every key carries a 128-bit fingerprint under a secret of this process. A store in memory keeps
 * the fingerprint and never the key.
 */
public final class Key {

  private static final long STRING = 1;
  private static final long BYTES = 2;
  private static final long NUMBER = 3;
  private static final long IDENTITY = 4;

  private final @Nullable Object value;
  private final long number;
  private final long high;
  private final long low;

  private Key(@Nullable Object value, long number, SipHash hash) {
    this.value = value;
    this.number = number;
    this.high = hash.first();
    this.low = hash.second();
  }

  /** A key of text. It must not be empty; any characters will do. */
  public static Key of(String key) {
    if (key == null || key.isEmpty()) {
      throw missing(key);
    }
    SipHash hash = new SipHash();
    hash.string(key, STRING);
    return new Key(key, 0, hash);
  }

  /** A key of bytes. They must not be empty, and must not change while the key is in use. */
  public static Key of(byte[] key) {
    if (key == null || key.length == 0) {
      throw missing(key);
    }
    SipHash hash = new SipHash();
    hash.bytes(key, BYTES);
    return new Key(key, 0, hash);
  }

  /** A key that is a number, such as a user's id. */
  public static Key of(long key) {
    SipHash hash = new SipHash();
    hash.word(key);
    hash.word(NUMBER);
    return new Key(null, key, hash);
  }

  /** The key that stands for a limit itself; it differs from every key of a user's making. */
  static Key identity(String text) {
    SipHash hash = new SipHash();
    hash.string(text, IDENTITY);
    return new Key(text, 0, hash);
  }

  /** The key with this {@link #value} and {@link #number}. For stores. */
  public static Key of(@Nullable Object value, long number) {
    if (value == null) {
      return of(number);
    }
    return value instanceof byte[] bytes ? of(bytes) : of((String) value);
  }

  private static IllegalArgumentException missing(@Nullable Object key) {
    return new IllegalArgumentException(
        "key must not be null or empty: " + (key == null ? "null" : "\"\""));
  }

  /** The text or the bytes of this key; null if it is a number. For stores. */
  public @Nullable Object value() {
    return value;
  }

  /** The number of this key, if {@link #value} is null. For stores. */
  public long number() {
    return number;
  }

  /** The first half of the fingerprint. It is another one in every process. */
  public long fingerprintHigh() {
    return high;
  }

  /** The second half of the fingerprint. */
  public long fingerprintLow() {
    return low;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Key that
        && number == that.number
        && high == that.high
        && low == that.low
        && (value instanceof byte[] mine && that.value instanceof byte[] theirs
            ? Arrays.equals(mine, theirs)
            : Objects.equals(value, that.value));
  }

  @Override
  public int hashCode() {
    return Long.hashCode(low);
  }

  /** The key in readable form: text as it is, bytes in hexadecimal digits. */
  @Override
  public String toString() {
    if (value == null) {
      return Long.toString(number);
    }
    return value instanceof byte[] bytes
        ? HexFormat.of().formatHex(bytes)
        : (String) value;
  }
}
