package dev.stint.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what keys are made of out of header fields and queries. */
final class Fields {

  private static final String BEARER = "Bearer";

  private Fields() {}

  /** The token after the scheme, which is matched without case; null if it is none. */
  static @Nullable String bearerToken(String authorization) {
    String value = authorization.strip();
    int scheme = BEARER.length();
    if (value.length() <= scheme
        || value.charAt(scheme) != ' '
        || !value.regionMatches(true, 0, BEARER, 0, scheme)) {
      return null;
    }
    String token = value.substring(scheme).strip();
    return token.isEmpty() || !token.chars().allMatch(Fields::isTokenCharacter) ? null : token;
  }

  private static boolean isTokenCharacter(int c) {
    return c > ' ' && c < 0x7f && c != ',' && c != '"';
  }

  /** Adds the values of a cookie in one line of {@code Cookie}. */
  static void cookies(String line, String name, List<String> values) {
    for (String pair : line.split(";", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
        values.add(unquoted(pair.substring(equals + 1).strip()));
      }
    }
  }

  private static String unquoted(String value) {
    boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
    return quoted ? value.substring(1, value.length() - 1) : value;
  }

  /** The values of a parameter in a query. */
  static List<String> parameters(String query, String name) {
    List<String> values = new ArrayList<>(1);
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String found = equals < 0 ? pair : pair.substring(0, equals);
      if (decoded(found).equals(name)) {
        values.add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
      }
    }
    return values;
  }

  /** Decoded, if it can be; what is wrongly encoded stands for itself. */
  private static String decoded(String text) {
    if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
      return text;
    }
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }
}
