package dev.stint.server.http;

import java.util.regex.Pattern;

/**
 * Why a decision was made without the store, as clients may know it. What a library says of it can
 * name types and addresses, which are for the log.
 */
final class PublicReason {

  private static final Pattern INTERNAL =
      Pattern.compile("\\w+(\\.\\w+){2,}|\\w(Exception|Error)\\b|\\w+/[\\d.:]+");

  private PublicReason() {}

  static String of(String reason) {
    return INTERNAL.matcher(reason).find() ? "Redis could not be asked" : reason;
  }
}
