package dev.stint.spring.method;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Names of budgets that were given none: {@code Class.method}, as far as that is a name. */
final class BudgetName {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
  private static final int KEPT = 47;
  private static final int HASH_BYTES = 8;

  private BudgetName() {}

  /** The name; what is too long or has other characters keeps its beginning and gets a hash. */
  static String of(String classAndMethod) {
    if (NAME.matcher(classAndMethod).matches()) {
      return classAndMethod;
    }
    String plain = classAndMethod.replaceAll("[^A-Za-z0-9_.-]", "_");
    return plain.substring(0, Math.min(KEPT, plain.length())) + "-" + hash(classAndMethod);
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(hash, HASH_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
