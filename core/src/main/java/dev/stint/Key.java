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
 * three kinds never meet: {@code Key.of("7")}, {@code Key.of(7)} and {@code Key.of(new byte[]
 * {'7'})} are three keys.
 */
public final class Key {

  private final @Nullable Object value;
  private final long number;

  private Key(@Nullable Object value, long number) {
    this.value = value;
    this.number = number;
  }

  /** A key of text. It must not be empty; any characters will do. */
  public static Key of(String key) {
    if (key == null || key.isEmpty()) {
      throw missing(key);
    }
    return new Key(key, 0);
  }

  /** A key of bytes. They must not be empty, and must not change while the key is in use. */
  public static Key of(byte[] key) {
    if (key == null || key.length == 0) {
      throw missing(key);
    }
    return new Key(key, 0);
  }

  /** A key that is a number, such as a user's id. */
  public static Key of(long key) {
    return new Key(null, key);
  }

  /** The key with this {@link #value} and {@link #number}. */
  static Key of(@Nullable Object value, long number) {
    return new Key(value, number);
  }

  /** This key, which must not be null. */
  static Key required(@Nullable Key key) {
    if (key == null) {
      throw missing(null);
    }
    return key;
  }

  private static IllegalArgumentException missing(@Nullable Object key) {
    return new IllegalArgumentException(
        "key must not be null or empty: " + (key == null ? "null" : "\"\""));
  }

  /** The {@code String} or {@code byte[]} of this key; null if it is a number. For stores. */
  public @Nullable Object value() {
    return value;
  }

  /** The number of this key, if {@link #value} is null. For stores. */
  public long number() {
    return number;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Key that
        && number == that.number
        && Objects.deepEquals(value, that.value);
  }

  @Override
  public int hashCode() {
    if (value == null) {
      return Long.hashCode(number);
    }
    return value instanceof byte[] bytes ? Arrays.hashCode(bytes) : value.hashCode();
  }

  /** The key in readable form: text as it is, bytes in hexadecimal digits. */
  @Override
  public String toString() {
    if (value == null) {
      return Long.toString(number);
    }
    return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : (String) value;
  }
}
