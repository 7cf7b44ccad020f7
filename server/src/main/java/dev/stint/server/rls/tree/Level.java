package dev.stint.server.rls.tree;

import dev.stint.Limit;
import dev.stint.rls.RateLimitDescriptor.Entry;
import dev.stint.server.config.RlsSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The descriptors of the configuration that stand side by side. */
final class Level {

  /** One descriptor of the configuration. */
  record Node(@Nullable RlsRule rule, Level below) {}

  private record Pattern(Wildcard wildcard, Node node) {}

  /** All descriptors with one key. */
  private static final class Values {
    final Map<String, Node> exact = new HashMap<>();
    final List<Pattern> patterns = new ArrayList<>();
    @Nullable Node any;
  }

  private final Map<String, Values> byKey = new HashMap<>();

  Level(String domain, String path, List<RlsSettings.Node> nodes, Collection<Limit> limits) {
    for (RlsSettings.Node one : nodes) {
      add(domain, path, one, limits);
    }
  }

  private void add(String domain, String parent, RlsSettings.Node one, Collection<Limit> limits) {
    String value = one.value().orElse("");
    String path = one.path(parent);
    RlsRule rule = one.rule().map(terms -> RlsRule.of(domain, path, one, terms)).orElse(null);
    if (rule != null && rule.limit() != null) {
      limits.add(rule.limit());
    }
    Node node = new Node(rule, new Level(domain, path + ".", one.children(), limits));
    Values values = byKey.computeIfAbsent(one.key(), key -> new Values());
    if (value.isEmpty()) {
      values.any = node;
    } else if (Wildcard.isOne(value)) {
      values.patterns.add(new Pattern(new Wildcard(value), node));
    } else {
      values.exact.put(value, node);
    }
  }

  /** The descriptor for an entry: its value, then the first pattern, then its key alone. */
  @Nullable Node find(Entry entry) {
    Values values = byKey.get(entry.getKey());
    if (values == null) {
      return null;
    }
    Node exact = values.exact.get(entry.getValue());
    if (exact != null) {
      return exact;
    }
    for (int i = 0; i < values.patterns.size(); i++) {
      Pattern pattern = values.patterns.get(i);
      if (pattern.wildcard.matches(entry.getValue())) {
        return pattern.node;
      }
    }
    return values.any;
  }
}
