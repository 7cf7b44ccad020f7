package dev.stint.http;

import dev.stint.Key;
import dev.stint.Store;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The key under which something secret is counted: a hash, wherever keys could be read out of the
 * store.
 */
public final class StoredKey {

  private static final int BYTES = 16;
  private static final MessageDigest SHA_256 = sha256();

  private StoredKey() {}

  /** The key for {@code text} in {@code store}. */
  public static Key of(String text, Store store) {
    return store.keepsKeys() ? Key.of(hash(text)) : Key.of(text);
  }

  /** The key for {@code bytes} in {@code store}. */
  public static Key of(byte[] bytes, Store store) {
    return Key.of(store.keepsKeys() ? hash(bytes) : bytes);
  }

  /** The first half of the text's SHA-256: nobody finds two texts that share it. */
  static byte[] hash(String text) {
    return hash(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The first half of the bytes' SHA-256. */
  public static byte[] hash(byte[] bytes) {
    MessageDigest digest;
    try {
      digest = (MessageDigest) SHA_256.clone(); // a lookup by name costs more than the hash
    } catch (CloneNotSupportedException e) {
      digest = sha256();
    }
    return Arrays.copyOf(digest.digest(bytes), BYTES);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
