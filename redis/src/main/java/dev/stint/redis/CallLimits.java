package dev.stint.redis;

import io.lettuce.core.protocol.CommandArgs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The limits of one script call, each sent once however many of its decisions are under it. */
final class CallLimits {

  private final List<Terms> limits = new ArrayList<>(2);
  private @Nullable Map<Terms, Integer> others; // most calls have one limit only
  private int algorithms;

  /** The number by which the call speaks of this limit. */
  int numberOf(Terms terms) {
    if (limits.isEmpty()) {
      return add(terms);
    }
    if (limits.get(0) == terms) {
      return 1;
    }
    Map<Terms, Integer> known = others;
    if (known == null) {
      known = new HashMap<>();
      others = known;
    }
    return known.computeIfAbsent(terms, this::add);
  }

  private int add(Terms terms) {
    limits.add(terms);
    algorithms |= terms.scriptBit();
    return limits.size();
  }

  /** The bits of the scripts of all these limits. */
  int algorithms() {
    return algorithms;
  }

  void addTo(CommandArgs<byte[], byte[]> args) {
    for (Terms terms : limits) {
      args.add(terms.packed());
    }
  }
}
