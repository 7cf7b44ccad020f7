package dev.stint.server.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A token that can be recognised, and not be read: it never reaches a log by accident. */
public final class Secret {

  private final byte[] digest;

  private Secret(byte[] digest) {
    this.digest = digest;
  }

  /** The secret with this text. */
  public static Secret of(String text) {
    return new Secret(sha256(text));
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  /** How long the answer takes tells nothing. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Secret that && MessageDigest.isEqual(digest, that.digest);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(digest);
  }

  @Override
  public String toString() {
    return "(secret)";
  }
}
