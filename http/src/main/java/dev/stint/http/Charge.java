package dev.stint.http;

import dev.stint.Key;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** What one rule charges one request: so many units, to the account of a key. */
record Charge(RuleInForce rule, Key key, long cost) {

  /** No source finds this text: it has no kind in front. */
  private static final String NOBODY = "nobody";

  private static final int BYTES = 16;
  private static final MessageDigest SHA_256 = sha256();

  static final Key KEY_OF_NOBODY = key(NOBODY);

  /** The key under which the text of a {@link KeySource} is stored: a hash, never the text. */
  static Key key(String text) {
    MessageDigest digest;
    try {
      digest = (MessageDigest) SHA_256.clone(); // a lookup by name costs more than the hash
    } catch (CloneNotSupportedException e) {
      digest = sha256();
    }
    byte[] hash = digest.digest(text.getBytes(StandardCharsets.UTF_8));
    return Key.of(Arrays.copyOf(hash, BYTES));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
