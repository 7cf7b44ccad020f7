package dev.stint.http;

import dev.stint.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What rules charge a request, in their order. Limits that depend on the request are looked up
 * while the other rules are matched, and are put in when all of them are found.
 */
final class RequestCharges {

  private record Lookup(int index, CompletableFuture<List<Limit>> limits) {}

  private static final CompletableFuture<?> NOTHING = CompletableFuture.completedFuture(null);

  private final List<Charge> charges = new ArrayList<>(1);
  private List<Lookup> lookups = List.of(); // most requests need none

  /** Adds what {@code rule} charges the request for the key that it has found, or for none. */
  void add(RuleInForce rule, @Nullable String text, Request request) {
    long cost = rule.rule().costOf(request);
    if (cost == 0) {
      return;
    }
    LimitLookup lookup = rule.rule().lookup();
    if (lookup != null) {
      lookups = lookups.isEmpty() ? new ArrayList<>(1) : lookups;
      lookups.add(new Lookup(charges.size(), lookup.of(request)));
    }
    charges.add(new Charge(rule, rule.key(text), cost));
  }

  boolean isEmpty() {
    return charges.isEmpty();
  }

  /** Ends when all limits are found or known to be missing; it never fails. */
  CompletableFuture<?> found() {
    if (lookups.isEmpty()) {
      return NOTHING;
    }
    return CompletableFuture.allOf(
            lookups.stream().map(Lookup::limits).toArray(CompletableFuture[]::new))
        .handle((all, failure) -> null);
  }

  /**
   * Puts in the limits that were found, once {@link #found} has ended. Rules that only watch are
   * left out if theirs are missing.
   *
   * @return the rule whose limits are missing, so that the request may not pass; null if none are
   */
  @Nullable Rule settle() {
    for (int i = lookups.size() - 1; i >= 0; i--) { // from behind: some may be left out
      int index = lookups.get(i).index;
      Charge charge = charges.get(index);
      RuleInForce found = charge.rule().limitedBy(lookups.get(i).limits);
      if (found != null) {
        charges.set(index, new Charge(found, charge.key(), charge.cost()));
      } else if (charge.rule().rule().isShadow()) {
        charges.remove(index);
      } else {
        return charge.rule().rule();
      }
    }
    lookups = List.of();
    return null;
  }

  /** All of them, once they are settled. */
  List<Charge> list() {
    return charges;
  }
}
