package dev.stint.server.engine;

import dev.stint.Limit;
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
  record Entry(String text, boolean isPrefix, List<Limit> limits, Terms terms) {}

  private static final class Prefix {
    final byte[] bytes;
    final Entry entry;

    Prefix(Entry entry) {
      bytes = entry.text().getBytes(StandardCharsets.UTF_8);
      this.entry = entry;
    }
  }

  private final List<Entry> entries;
  private final Map<String, Entry> exact = new HashMap<>();
  private final Prefix[] prefixes;

  Overrides(List<Entry> entries) {
    this.entries = List.copyOf(entries);
    for (Entry entry : entries) {
      if (!entry.isPrefix()) {
        exact.put(entry.text(), entry);
      }
    }
    prefixes =
        entries.stream()
            .filter(Entry::isPrefix)
            .map(Prefix::new)
            .sorted(Comparator.comparingInt((Prefix prefix) -> prefix.bytes.length).reversed())
            .toArray(Prefix[]::new);
  }

  List<Entry> entries() {
    return entries;
  }

  @Nullable Entry of(byte[] key) {
    if (!exact.isEmpty()) {
      Entry entry = exact.get(new String(key, StandardCharsets.UTF_8));
      if (entry != null) {
        return entry;
      }
    }
    for (Prefix prefix : prefixes) {
      if (startsWith(key, prefix.bytes)) {
        return prefix.entry;
      }
    }
    return null;
  }

  private static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }
}
