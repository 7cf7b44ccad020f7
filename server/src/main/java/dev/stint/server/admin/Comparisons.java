package dev.stint.server.admin;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What policies and their candidates made of the same requests. There are as many as policies have
 * candidates, within a bound; further ones share one.
 */
final class Comparisons {

  private final MeterRegistry registry;
  private final Map<String, Map<String, Comparison>> byLive = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();

  Comparisons(MeterRegistry registry) {
    this.registry = registry;
  }

  Comparison of(String live, String candidate) {
    Comparison known = find(live, candidate);
    if (known != null) {
      return known;
    }
    return count.get() < PolicyMeters.MOST
        ? create(live, candidate)
        : create(LabelText.OTHER, LabelText.OTHER);
  }

  @Nullable Comparison find(String live, String candidate) {
    Map<String, Comparison> ofLive = byLive.get(live);
    return ofLive == null ? null : ofLive.get(candidate);
  }

  private synchronized Comparison create(String live, String candidate) {
    return byLive
        .computeIfAbsent(live, unused -> new ConcurrentHashMap<>())
        .computeIfAbsent(
            candidate,
            unused -> {
              count.incrementAndGet();
              return new Comparison(registry, LabelText.of(live), LabelText.of(candidate));
            });
  }

  /** Forgets all but these candidates, by the policy that they are tried for. */
  synchronized void retain(Map<String, String> candidates) {
    byLive.forEach(
        (live, ofLive) ->
            ofLive
                .entrySet()
                .removeIf(
                    entry -> {
                      boolean gone = !entry.getKey().equals(candidates.get(live));
                      if (gone) {
                        count.decrementAndGet();
                        entry.getValue().removeFrom(registry);
                      }
                      return gone;
                    }));
    byLive.values().removeIf(Map::isEmpty);
  }
}
