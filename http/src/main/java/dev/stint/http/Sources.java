package dev.stint.http;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The words of key sources: {@code tenant + route | address}. */
final class Sources {

  private Sources() {}

  static KeySource parse(String words) {
    if (words == null || words.isBlank()) {
      throw wrong(String.valueOf(words), words);
    }
    return split(
        words,
        '|',
        KeySource::firstOf,
        part -> split(part, '+', KeySource::together, one -> atom(one.strip(), words)));
  }

  private static KeySource split(
      String words,
      char separator,
      Function<KeySource[], KeySource> compose,
      Function<String, KeySource> each) {
    List<KeySource> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= words.length(); i++) {
      if (i == words.length() || words.charAt(i) == separator) {
        parts.add(each.apply(words.substring(start, i)));
        start = i + 1;
      }
    }
    return parts.size() == 1 ? parts.get(0) : compose.apply(parts.toArray(KeySource[]::new));
  }

  private static KeySource atom(String word, String words) {
    int colon = word.indexOf(':');
    if (colon >= 0) {
      String name = word.substring(colon + 1).strip();
      return switch (word.substring(0, colon).strip()) {
        case "header" -> KeySource.header(name);
        case "cookie" -> KeySource.cookie(name);
        case "query" -> KeySource.queryParameter(name);
        default -> throw wrong(word, words);
      };
    }
    if (word.startsWith("address/")) {
      return KeySource.clientAddress(bits(word, words));
    }
    return switch (word) {
      case "address" -> KeySource.clientAddress();
      case "bearer" -> KeySource.bearerToken();
      case "principal" -> KeySource.principal();
      case "route" -> KeySource.route();
      case "tenant" -> KeySource.tenant();
      default -> throw wrong(word, words);
    };
  }

  private static int bits(String word, String words) {
    try {
      return Integer.parseInt(word.substring("address/".length()));
    } catch (NumberFormatException e) {
      throw wrong(word, words);
    }
  }

  private static IllegalArgumentException wrong(String word, String words) {
    String place = word.equals(words) ? "" : " in '" + words + "'";
    return new IllegalArgumentException(
        "a key must be address, bearer, header:NAME, cookie:NAME, query:NAME, principal, route or"
            + " tenant, joined by '|' (the first that is there) or '+' (all together): '"
            + word
            + "'"
            + place);
  }

  /** The words of these parts; a first-of inside a together cannot be written, and says so. */
  static String join(List<KeySource> parts, String separator) {
    return parts.stream()
        .map(KeySource::toString)
        .map(words -> separator.equals(" + ") && words.contains(" | ") ? "(" + words + ")" : words)
        .collect(Collectors.joining(separator));
  }

  /** A part's text within several, where a plus must not be read as the joint. */
  static String escaped(String text) {
    if (text.indexOf('+') < 0 && text.indexOf('\\') < 0) {
      return text;
    }
    return text.replace("\\", "\\\\").replace("+", "\\+");
  }
}
