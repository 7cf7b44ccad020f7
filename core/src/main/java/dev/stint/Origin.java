package dev.stint;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a decision says of where it was made, if there is anything to say; most decisions have none.
 *
 * @param tag what the limit was {@linkplain KeyedLimit#in kept together} by
 * @param reason why the store that was asked did not decide
 * @param fallbacks the stores that were turned to instead, the outermost first: the way that a
 *     refund must go
 */
record Origin(@Nullable String tag, @Nullable String reason, List<Store> fallbacks) {

  private static final Origin NONE = new Origin(null, null, List.of());

  static Origin because(String reason) {
    return new Origin(null, reason, List.of());
  }

  static Origin in(@Nullable Origin origin, String tag) {
    Origin known = origin == null ? NONE : origin;
    return new Origin(tag, known.reason, known.fallbacks);
  }

  static Origin insteadOf(@Nullable Origin origin, Store fallback, String reason) {
    Origin known = origin == null ? NONE : origin;
    List<Store> way = new ArrayList<>();
    way.add(fallback);
    way.addAll(known.fallbacks);
    return new Origin(known.tag, reason, List.copyOf(way));
  }
}
