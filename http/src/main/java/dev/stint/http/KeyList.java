package dev.stint.http;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Keys that are allowed or blocked whatever rules count by: {@code principal:monitor}, {@code
 * header:x-api-key:4711}. Each key says by its kind where in a request to look for it.
 */
final class KeyList {

  private final Set<String> texts = new HashSet<>();
  private final List<KeySource> sources = new ArrayList<>();

  /**
   * A list of keys.
   *
   * @param known the key sources of all rules: the only ones that find keys of a function's, or of
   *     several sources together
   */
  KeyList(Collection<String> keys, Collection<KeySource> known) {
    List<KeySource> all = new ArrayList<>();
    known.forEach(source -> addWithParts(source, all));
    for (String key : keys) {
      add(key, all);
    }
  }

  private static void addWithParts(KeySource source, List<KeySource> all) {
    all.add(source);
    source.parts().forEach(part -> addWithParts(part, all));
  }

  private void add(String key, List<KeySource> known) {
    boolean found = false;
    for (KeySource source : known) {
      boolean joined = source.kind().isEmpty();
      if (joined ? key.contains(" + ") : key.startsWith(source.kind() + ":")) {
        add(source, key);
        found = true;
      }
    }
    if (!found) {
      KeySource source = sourceOf(key);
      add(source, source.kind() + key.substring(source.kind().length()));
    }
  }

  private void add(KeySource source, String key) {
    texts.add(source.textOf(key));
    if (sources.stream().noneMatch(other -> isSame(other, source))) {
      sources.add(source);
    }
  }

  /** Two functions may have one name; other words say all there is to say of a source. */
  private static boolean isSame(KeySource one, KeySource other) {
    boolean isFunction = one.kind().startsWith("custom:") || one.kind().isEmpty();
    return one == other || (!isFunction && one.toString().equals(other.toString()));
  }

  /** Where a key of this kind is found; names of headers are in small letters in its kind. */
  private static KeySource sourceOf(String key) {
    int kind = key.indexOf(':');
    int name = key.indexOf(':', kind + 1);
    try {
      return switch (key.substring(0, Math.max(0, kind)).toLowerCase(Locale.ROOT)) {
        case "header", "cookie", "query" -> KeySource.parse(key.substring(0, Math.max(0, name)));
        default -> KeySource.parse(key.substring(0, Math.max(0, kind)));
      };
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a key of a list must have its kind in front, such as principal:monitor or"
              + " header:x-api-key:4711; that of a function or of several sources together must be"
              + " one that a rule counts by: "
              + key,
          e);
    }
  }

  boolean isEmpty() {
    return sources.isEmpty();
  }

  boolean needsTenant() {
    return sources.stream().anyMatch(KeySource::needsTenant);
  }

  boolean needsAddress() {
    return sources.stream().anyMatch(KeySource::needsAddress);
  }

  /** Whether any key that the request may be taken to have is on the list. */
  boolean containsAny(Request request) {
    for (KeySource source : sources) {
      for (String text : source.allTexts(request)) {
        if (texts.contains(text)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a key that the request has beyond doubt is on the list. */
  boolean contains(Request request) {
    for (KeySource source : sources) {
      String text = source.text(request);
      if (text != null && texts.contains(text)) {
        return true;
      }
    }
    return false;
  }
}
