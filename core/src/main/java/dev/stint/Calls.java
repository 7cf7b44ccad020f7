package dev.stint;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;

/** What goes into a store's call and comes out of it: the checks and the summing up. */
final class Calls {

  private Calls() {}

  /** A limiter's own limits; two that count in the same place would charge everything twice. */
  static List<Limit> distinct(Limit... limits) {
    Set<String> seen = new HashSet<>();
    for (Limit limit : limits) {
      if (limit == null) {
        throw new IllegalArgumentException("limit must not be null");
      }
      if (!seen.add(limit.identity())) {
        throw new IllegalArgumentException(
            "limits must differ in algorithm, window or name: "
                + limit
                + " counts in the same place as another; give it a name");
      }
    }
    return List.of(limits);
  }

  /** These limits, all on one key. */
  static List<KeyedLimit> on(List<Limit> limits, Key key, long n) {
    if (limits.isEmpty()) {
      throw new IllegalArgumentException(
          "this limiter has no limits of its own: give them to RateLimiter.of, or in the call with"
              + " limit.on(key)");
    }
    List<KeyedLimit> all = new ArrayList<>(limits.size());
    for (Limit limit : limits) {
      all.add(new KeyedLimit(limit, key, n));
    }
    return all;
  }

  /** The limits of one call: at least one, and no two that count in the same place. */
  static List<KeyedLimit> checked(KeyedLimit... limits) {
    if (limits.length == 0) {
      throw new IllegalArgumentException("a call must have at least one limit: 0");
    }
    Set<Place> seen = new HashSet<>();
    for (KeyedLimit one : limits) {
      if (one == null) {
        throw new IllegalArgumentException("limit must not be null");
      }
      if (limits.length > 1 && !seen.add(new Place(one.limit().identity(), one.key()))) {
        throw new IllegalArgumentException(
            "limits of one call must differ in algorithm, window, name or key: "
                + one.limit()
                + " on "
                + Quoted.of(one.key().toString())
                + " is there twice; give it its whole cost once");
      }
    }
    return List.of(limits);
  }

  /** This limit with {@code n} units, also none. */
  static List<KeyedLimit> counting(KeyedLimit limit, long n) {
    return List.of(checked(limit).get(0).amount(notNegative(n)));
  }

  /** Whether a hit of these limits may be charged although it is denied. */
  static boolean isDeniedCounted(List<KeyedLimit> limits) {
    return limits.stream().anyMatch(one -> one.limit().countsDenied());
  }

  /** What a refund of this decision must undo. */
  static List<KeyedLimit> charges(Decision decision) {
    if (decision == null) {
      throw new IllegalArgumentException("decision must not be null");
    }
    return decision.charges();
  }

  private record Place(String identity, Key key) {}

  static long notNegative(long n) {
    if (n < 0) {
      throw new IllegalArgumentException("n must be at least 0: " + n);
    }
    return n;
  }

  /** When the last of a decision's limits is as good as new. */
  static Optional<Instant> latest(Decision decision) {
    return decision.limits().stream()
        .flatMap(one -> one.expiresAt().stream())
        .max(Instant::compareTo);
  }

  /** The answer to a hit whose store failed. Anything but a store's failure is thrown on. */
  static Decision degraded(Store store, List<KeyedLimit> asked, Throwable thrown) {
    String reason = reason(failure(thrown));
    return Fixed.ADMITTING.answer(asked, store.time().micros(), reason);
  }

  /** The store's failure behind what was thrown. Anything else is thrown on. */
  static StoreException failure(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof StoreException failure) {
      return failure;
    }
    throw cause instanceof RuntimeException e ? e : new CompletionException(cause);
  }

  /** A failure in words. */
  static String reason(StoreException failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
