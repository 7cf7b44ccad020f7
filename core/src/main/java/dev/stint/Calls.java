package dev.stint;

import dev.stint.algorithm.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What goes into a store's call and comes out of it: the checks and the summing up. */
final class Calls {

  private static final int MOST_IN_PAIRS = 16;

  private Calls() {}

  /** A limiter's own limits; two that count in the same place would charge everything twice. */
  static List<Limit> distinct(Limit... limits) {
    Set<String> seen = new HashSet<>();
    for (Limit limit : required(limits, "limits")) {
      if (!seen.add(required(limit, "limit").identity())) {
        throw new IllegalArgumentException(
            "limits must differ in algorithm, window or name: "
                + limit
                + " counts in the same place as another; give it a name");
      }
    }
    return List.of(limits);
  }

  /** Refuses an operation that makes no sense, see {@link Store#check(Operation, List)}. */
  static void check(Operation operation, List<KeyedLimit> limits) {
    required(operation, "operation");
    required(limits, "limits");
    int size = limits.size();
    if (size == 0) {
      throw new IllegalArgumentException("a call must have at least one limit: 0");
    }
    for (int i = 0; i < size; i++) {
      checkUnits(operation, required(limits.get(i), "limit").cost());
    }
    if (size <= MOST_IN_PAIRS) {
      checkPairs(limits);
    } else {
      Set<Place> seen = new HashSet<>();
      for (KeyedLimit one : limits) {
        if (!seen.add(Place.of(one))) {
          throw twice(one.limit(), one.key());
        }
      }
    }
  }

  /** Refuses an operation on one limit that makes no sense. */
  static void check(Operation operation, Limit limit, Key key, long amount) {
    required(operation, "operation");
    required(limit, "limit");
    Key.required(key);
    checkUnits(operation, amount);
  }

  /** Refuses an operation on several limits of one key that makes no sense. */
  static void checkAll(Operation operation, List<Limit> limits, Key key, long amount) {
    required(operation, "operation");
    Key.required(key);
    checkUnits(operation, amount);
    Limit repeated = repeated(limits);
    if (repeated != null) {
      throw twice(repeated, key);
    }
  }

  /** A limit that is among these more than once, or null. */
  private static @Nullable Limit repeated(List<Limit> limits) {
    int size = required(limits, "limits").size();
    if (size == 0) {
      throw new IllegalArgumentException("a call must have at least one limit: 0");
    }
    for (int i = 0; i < size; i++) {
      Limit one = required(limits.get(i), "limit");
      for (int j = 0; j < i; j++) {
        if (countAlike(one, limits.get(j))) {
          return one;
        }
      }
    }
    return null;
  }

  private static boolean countAlike(Limit one, Limit other) {
    return one.identityLow() == other.identityLow() && one.identityHigh() == other.identityHigh();
  }

  /** Small, since every hit passes here. */
  private static void checkUnits(Operation operation, long n) {
    if (n < 1) {
      checkFew(operation, n);
    }
  }

  /** Units that are charged or given back are positive; others may be none. */
  private static void checkFew(Operation operation, long n) {
    switch (operation) {
      case HIT -> KeyedLimit.positive(n, "cost");
      case INC, REFUND, UNDO -> KeyedLimit.positive(n, "n");
      case PEEK, SET, GET, RESET -> KeyedLimit.notNegative(n);
    }
  }

  /** Compares each limit with each before it, which for a few is quicker than hashing the keys. */
  private static void checkPairs(List<KeyedLimit> limits) {
    for (int i = 1; i < limits.size(); i++) {
      KeyedLimit one = limits.get(i);
      for (int j = 0; j < i; j++) {
        KeyedLimit other = limits.get(j);
        if (countAlike(one.limit(), other.limit()) && one.key().equals(other.key())) {
          throw twice(one.limit(), one.key());
        }
      }
    }
  }

  private static IllegalArgumentException twice(Limit limit, Key key) {
    return new IllegalArgumentException(
        "limits of one call must differ in algorithm, window, name or key: "
            + limit
            + " on "
            + Quoted.of(key.toString())
            + " is there twice; give it its whole cost once");
  }

  private static <T> T required(@Nullable T argument, String name) {
    if (argument == null) {
      throw new IllegalArgumentException(name + " must not be null");
    }
    return argument;
  }

  /** A limiter's own limits, of which there must be some. */
  static List<Limit> own(List<Limit> limits) {
    if (limits.isEmpty()) {
      throw new IllegalArgumentException(
          "this limiter has no limits of its own: give them to RateLimiter.of, or in the call with"
              + " limit.on(key)");
    }
    return limits;
  }

  /** These limits, all on one key. */
  static List<KeyedLimit> on(List<Limit> limits, Key key, long n) {
    List<KeyedLimit> all = new ArrayList<>(limits.size());
    for (Limit limit : own(limits)) {
      all.add(new KeyedLimit(limit, key, n));
    }
    return all;
  }

  /** The limits that a caller gave for an operation, checked. */
  static List<KeyedLimit> checked(Operation operation, KeyedLimit... limits) {
    List<KeyedLimit> asked = Arrays.asList(required(limits, "limits").clone());
    check(operation, asked);
    if (operation == Operation.PEEK) {
      asked.forEach(one -> KeyedLimit.positive(one.cost(), "cost"));
    }
    return asked;
  }

  /** This limit with {@code n} units, which may be none. */
  static List<KeyedLimit> counting(KeyedLimit limit, long n) {
    return List.of(required(limit, "limit").amount(n));
  }

  /** What a refund of this decision must undo. */
  static List<KeyedLimit> charges(Decision decision) {
    if (decision == null) {
      throw new IllegalArgumentException("decision must not be null");
    }
    return decision.charges();
  }

  /** When the last of a decision's limits is as good as new. */
  static Optional<Instant> latest(Decision decision) {
    return decision.limits().stream()
        .flatMap(one -> one.expiresAt().stream())
        .max(Instant::compareTo);
  }

  /** The answer to a hit whose store failed. Anything but a store's failure is thrown on. */
  static Decision degraded(Store store, List<KeyedLimit> asked, Throwable thrown) {
    return degraded(store, asked, thrown, true);
  }

  /**
   * The same for a caller that may be gone by now.
   *
   * @param awaited whether the caller still waits for the answer and so is admitted by it
   */
  static Decision degraded(Store store, List<KeyedLimit> asked, Throwable thrown, boolean awaited) {
    StoreException failure = failure(thrown);
    Decision admitted = Fixed.ADMITTING.answer(asked, store.time().micros(), reason(failure));
    failure.answered(awaited);
    return admitted;
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
