package dev.stint.server.engine;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The terms of keys that are not under the usual ones: exact keys first, then the longest prefix.
 */
final class Overrides {

  /** Terms for a key, or for all that begin with it. */
  record Entry(String text, boolean isPrefix, Terms terms) {}

  private static final class Prefix {
    final byte[] bytes;
    final Terms terms;

    Prefix(Entry entry) {
      bytes = entry.text().getBytes(StandardCharsets.UTF_8);
      terms = entry.terms();
    }
  }

  private final Map<String, Terms> exact = new HashMap<>();
  private final Prefix[] prefixes;

  Overrides(List<Entry> entries) {
    for (Entry entry : entries) {
      if (!entry.isPrefix()) {
        exact.put(entry.text(), entry.terms());
      }
    }
    prefixes =
        entries.stream()
            .filter(Entry::isPrefix)
            .map(Prefix::new)
            .sorted(Comparator.comparingInt((Prefix prefix) -> prefix.bytes.length).reversed())
            .toArray(Prefix[]::new);
  }

  @Nullable Terms of(byte[] key) {
    if (!exact.isEmpty()) {
      Terms terms = exact.get(new String(key, StandardCharsets.UTF_8));
      if (terms != null) {
        return terms;
      }
    }
    for (Prefix prefix : prefixes) {
      if (startsWith(key, prefix.bytes)) {
        return prefix.terms;
      }
    }
    return null;
  }

  private static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }
}
