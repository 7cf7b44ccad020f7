package dev.stint.server.serve;

import dev.stint.server.config.PolicySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Which policies a reload has changed, for the log. */
final class PolicyChanges {

  private static final int MOST_NAMES = 10;

  private PolicyChanges() {}

  /** Such as {@code policies added: login; changed: api, export}. */
  static String between(Map<String, PolicySettings> before, Map<String, PolicySettings> after) {
    List<String> parts = new ArrayList<>();
    note(parts, "added", after.keySet().stream().filter(name -> !before.containsKey(name)));
    note(parts, "removed", before.keySet().stream().filter(name -> !after.containsKey(name)));
    note(
        parts,
        "changed",
        after.keySet().stream()
            .filter(before::containsKey)
            .filter(name -> !Objects.equals(after.get(name), before.get(name))));
    return parts.isEmpty() ? "no policy has changed" : "policies " + String.join("; ", parts);
  }

  private static void note(List<String> parts, String what, Stream<String> names) {
    List<String> all = names.toList();
    if (!all.isEmpty()) {
      int left = all.size() - MOST_NAMES;
      String shown = String.join(", ", all.subList(0, Math.min(MOST_NAMES, all.size())));
      parts.add(what + ": " + shown + (left > 0 ? " and " + left + " more" : ""));
    }
  }
}
