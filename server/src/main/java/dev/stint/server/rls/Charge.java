package dev.stint.server.rls;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Operation;
import dev.stint.rls.RateLimitDescriptor;
import dev.stint.rls.RateLimitRequest;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * What one place in the store is asked for on behalf of a request: by one descriptor, or by several
 * that are alike.
 */
final class Charge {

  /** Equal for those that count in the same place in the same way. */
  static final Comparator<Charge> BY_PLACE =
      Comparator.comparing((Charge one) -> one.operation)
          .thenComparing(one -> one.limit.identity())
          .thenComparing((one, other) -> Arrays.compare(one.key, other.key));

  final Operation operation;
  private final byte[] key;
  private Limit limit;
  private long cost;
  private boolean shadow;

  /** Null until the store was asked, and after a refund that failed. */
  @Nullable Decision answer;

  Charge(Operation operation, Limit limit, byte[] key, long cost, boolean shadow) {
    this.operation = operation;
    this.limit = limit;
    this.key = key;
    this.cost = cost;
    this.shadow = shadow;
  }

  /** A hit; with nothing to add only a question; or something given back. */
  static Operation operation(RateLimitDescriptor descriptor, long addend) {
    if (addend == 0) {
      return Operation.PEEK;
    }
    return descriptor.getIsNegativeHits() ? Operation.REFUND : Operation.HIT;
  }

  /** The units of a descriptor: its own, else the request's, else one. */
  static long addend(RateLimitRequest request, RateLimitDescriptor descriptor) {
    if (descriptor.hasHitsAddend()) {
      long own = descriptor.getHitsAddend().getValue();
      return own < 0 ? Algorithm.MAX_COUNT : Math.min(own, Algorithm.MAX_COUNT); // unsigned
    }
    long shared = Integer.toUnsignedLong(request.getHitsAddend());
    return shared == 0 ? 1 : shared;
  }

  /**
   * Takes over what another asks of the same place: the costs together, under the smaller limit,
   * enforced if either is.
   */
  void add(Charge other) {
    cost = Math.min(cost + other.cost, Algorithm.MAX_COUNT);
    limit = other.limit.amount() < limit.amount() ? other.limit : limit;
    shadow &= other.shadow;
  }

  boolean countsDenied() {
    return limit.countsDenied();
  }

  KeyedLimit asked() {
    KeyedLimit asked = limit.on(Key.of(key)).amount(cost);
    return shadow ? asked.shadow() : asked;
  }
}
