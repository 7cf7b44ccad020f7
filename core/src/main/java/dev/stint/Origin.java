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
 * @param fixed whether nothing was counted, because the answer is the same for every key
 */
record Origin(@Nullable String tag, @Nullable String reason, List<Store> fallbacks, boolean fixed) {

  private static final Origin NONE = new Origin(null, null, List.of(), false);

  static Origin because(String reason) {
    return new Origin(null, reason, List.of(), true);
  }

  static Origin in(@Nullable Origin origin, String tag) {
    Origin known = origin == null ? NONE : origin;
    return new Origin(tag, known.reason, known.fallbacks, known.fixed);
  }

  static Origin insteadOf(@Nullable Origin origin, Store fallback, String reason) {
    Origin known = origin == null ? NONE : origin;
    List<Store> way = new ArrayList<>();
    way.add(fallback);
    way.addAll(known.fallbacks);
    return new Origin(known.tag, reason, List.copyOf(way), known.fixed);
  }
}
