package dev.stint.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what keys are made of out of header fields and queries. */
final class Fields {

  private static final String BEARER = "Bearer";
  private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

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

  /**
   * Adds the values of a cookie in one line of {@code Cookie}: all that a server may find. Some
   * skip commas in front of a name, and to some a comma ends a cookie.
   */
  static void cookies(String line, String name, List<String> values) {
    for (String pair : line.split(";", -1)) {
      int start = 0;
      while (start < pair.length() && isSkipped(pair.charAt(start))) {
        start++;
      }
      cookie(pair, start, pair.length(), name, values);
      cookiesBehindCommas(pair, start, name, values);
    }
  }

  private static void cookiesBehindCommas(
      String pair, int start, String name, List<String> values) {
    int known = values.size();
    int first = pair.indexOf(',', start);
    for (int comma = first; comma >= 0; ) {
      int next = pair.indexOf(',', comma + 1);
      cookie(pair, comma + 1, next < 0 ? pair.length() : next, name, values);
      comma = next;
    }
    if (values.size() > known) {
      cookie(pair, start, first, name, values);
    }
  }

  private static boolean isSkipped(char c) {
    return c == ',' || Character.isWhitespace(c);
  }

  /** Adds the value of the cookie between two places, if it has this name. */
  private static void cookie(String pair, int start, int end, String name, List<String> values) {
    int equals = start;
    while (equals < end && pair.charAt(equals) != '=') {
      equals++;
    }
    if (equals < end && pair.substring(start, equals).strip().equals(name)) {
      values.add(unquoted(pair.substring(equals + 1, end).strip()));
    }
  }

  private static String unquoted(String value) {
    boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
    if (!quoted) {
      return value;
    }
    return ESCAPED.matcher(value.substring(1, value.length() - 1)).replaceAll("$1");
  }

  /** The values of a parameter in a query. */
  static List<String> parameters(String query, String name) {
    List<String> values = new ArrayList<>(1);
    for (String pair : query.split("&", -1)) {
      int start = 0;
      while (start < pair.length() && pair.charAt(start) == '=') {
        start++; // as Spring does in WebFlux
      }
      int equals = pair.indexOf('=', start);
      String found = pair.substring(start, equals < 0 ? pair.length() : equals);
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
