package dev.stint.server.config;

import dev.stint.server.config.RlsSettings.Node;
import dev.stint.server.config.RlsSettings.Rule;
import dev.stint.server.config.Yaml.Entries;
import dev.stint.server.config.Yaml.Entry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the descriptors of a domain. */
final class DescriptorsPart {

  /** What the original knows and Stint does not do. */
  private static final List<String> FOREIGN =
      List.of("quota_mode", "value_to_metric", "share_threshold");

  private DescriptorsPart() {}

  /**
   * Reads the descriptors of one level, with all below them.
   *
   * @param countDenied whether refused requests are counted by rules that do not say
   */
  static List<Node> read(Context in, List<Yaml> items, boolean countDenied) {
    List<Node> nodes = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Yaml item : items) {
      Section descriptor =
          in.section(
              "a descriptor",
              withoutForeign(in, item),
              "key",
              "value",
              "rate_limit",
              "shadow_mode",
              "detailed_metric",
              "descriptors");
      if (item instanceof Entries) {
        read(in, descriptor, seen, countDenied).ifPresent(nodes::add);
      }
    }
    return nodes;
  }

  /** Notes the words of the original that would otherwise be told as misspelt. */
  private static Yaml withoutForeign(Context in, Yaml item) {
    if (!(item instanceof Entries map)) {
      return item;
    }
    List<Entry> known = new ArrayList<>();
    for (Entry entry : map.all()) {
      String name = entry.name().text();
      if (FOREIGN.contains(name)) {
        in.mistakes()
            .add(
                entry.name().place(),
                "'" + name + "' is not something Stint does; remove it, or the rule");
      } else {
        known.add(entry);
      }
    }
    return new Entries(map.place(), known);
  }

  private static Optional<Node> read(
      Context in, Section descriptor, Set<String> seen, boolean countDenied) {
    Optional<String> key = Optional.empty();
    if (!descriptor.has("key")) {
      descriptor.missing("key", "key: remote_address");
    } else {
      key = descriptor.read("key", DescriptorsPart::notEmpty);
    }
    Optional<String> value =
        isEmptyText(descriptor.find("value")) ? Optional.empty() : descriptor.text("value");
    if (key.isPresent()
        && !seen.add(key.get().length() + key.get() + value.map(v -> "=" + v).orElse(""))) {
      descriptor.wrong(
          "key",
          "descriptors of one level must differ, and key "
              + Quote.of(key.get())
              + value.map(v -> " with value " + Quote.of(v)).orElse(" without a value")
              + " is there twice; remove one");
    }
    Yaml limit = descriptor.find("rate_limit");
    Optional<Rule> rule = limit == null ? Optional.empty() : RulePart.read(in, limit, countDenied);
    boolean shadow = descriptor.flag("shadow_mode", false);
    boolean detailed = descriptor.flag("detailed_metric", false);
    List<Node> children = read(in, descriptor.items("descriptors"), countDenied);
    return key.map(found -> new Node(found, value, rule, shadow, detailed, children));
  }

  /** The original takes an empty value for none. */
  private static boolean isEmptyText(@Nullable Yaml yaml) {
    return yaml instanceof Yaml.Scalar scalar && (scalar.isNothing() || scalar.text().isEmpty());
  }

  private static String notEmpty(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("must not be empty; give the descriptor a key");
    }
    return text;
  }
}
