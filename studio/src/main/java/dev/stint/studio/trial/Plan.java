package dev.stint.studio.trial;

import dev.stint.Limit;
import dev.stint.Spelling;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is tried: limits that are decided together, under the name of their algorithm.
 *
 * @param name the algorithm's word, or {@code as given} for limits of several algorithms
 */
public record Plan(String name, List<Limit> limits) {

  /** The word for every algorithm that forgets. */
  public static final String ALL = "all";

  private static final String MIXED = "as given";

  /** As {@link Limit#slidingLog} has it. */
  private static final long MOST_IN_A_LOG = 1_000_000;

  private static final List<Limit.Kind> KINDS =
      List.of(
          Limit.Kind.FIXED_WINDOW,
          Limit.Kind.FIXED_WINDOW_PER_KEY,
          Limit.Kind.SLIDING_LOG,
          Limit.Kind.SLIDING_COUNTER,
          Limit.Kind.TOKEN_BUCKET,
          Limit.Kind.LEAKY_BUCKET);

  public Plan {
    limits = List.copyOf(limits);
    if (limits.isEmpty()) {
      throw new IllegalArgumentException("a plan must have a limit: " + limits);
    }
  }

  /** The limits as they are. */
  public static Plan of(List<Limit> limits) {
    List<Limit.Kind> kinds = limits.stream().map(Limit::kind).distinct().toList();
    return new Plan(kinds.size() == 1 ? kinds.get(0).word() : MIXED, limits);
  }

  /**
   * The limits in these algorithms, a plan for each.
   *
   * @param algorithms words such as {@code token-bucket}, or {@code all}; none for the limits as
   *     they are
   * @throws IllegalArgumentException with a whole sentence
   */
  public static List<Plan> of(List<Limit> limits, List<String> algorithms) {
    if (algorithms.isEmpty()) {
      return List.of(of(limits));
    }
    return algorithms.stream()
        .flatMap(word -> word.equals(ALL) ? every(limits) : Stream.of(kind(word)))
        .distinct()
        .map(kind -> new Plan(kind.word(), limits.stream().map(one -> as(kind, one)).toList()))
        .toList();
  }

  private static Stream<Limit.Kind> every(List<Limit> limits) {
    boolean logged = of(limits).hasExact();
    return KINDS.stream().filter(kind -> logged || kind != Limit.Kind.SLIDING_LOG);
  }

  /** Whether the amounts are small enough for a sliding log, so that there is an exact plan. */
  public boolean hasExact() {
    return limits.stream()
        .allMatch(one -> one.kind() == Limit.Kind.QUOTA || one.amount() <= MOST_IN_A_LOG);
  }

  /** The exact sliding logs of these limits, that others are measured against. */
  public Plan exact() {
    return new Plan(
        Limit.Kind.SLIDING_LOG.word(),
        limits.stream()
            .map(one -> one.kind() == Limit.Kind.QUOTA ? one : as(Limit.Kind.SLIDING_LOG, one))
            .toList());
  }

  /** Whether it is what {@link #exact} says already. */
  public boolean isExact() {
    return hasExact() && limits.equals(exact().limits);
  }

  private static Limit.Kind kind(String word) {
    for (Limit.Kind kind : KINDS) {
      if (kind.word().equals(word.toLowerCase(Locale.ROOT))) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "algorithm must be "
            + ALL
            + " or one of "
            + KINDS.stream().map(Limit.Kind::word).collect(Collectors.joining(", "))
            + ": '"
            + word
            + "'"
            + Spelling.hint(word, words(), ""));
  }

  private static Limit as(Limit.Kind kind, Limit limit) {
    long amount = limit.amount();
    if (limit.kind() == Limit.Kind.QUOTA) {
      throw new IllegalArgumentException(
          "a quota has no window and no other algorithm; try it without one: " + limit);
    }
    if (kind == Limit.Kind.SLIDING_LOG && amount > MOST_IN_A_LOG) {
      throw new IllegalArgumentException(
          "a sliding log holds at most "
              + MOST_IN_A_LOG
              + " hits; choose another algorithm for this: "
              + limit);
    }
    Limit made =
        switch (kind) {
          case FIXED_WINDOW -> Limit.fixedWindow(amount, limit.window());
          case FIXED_WINDOW_PER_KEY -> Limit.fixedWindowPerKey(amount, limit.window());
          case SLIDING_LOG -> Limit.slidingLog(amount, limit.window());
          case SLIDING_COUNTER -> Limit.slidingCounter(amount, limit.window());
          case TOKEN_BUCKET -> Limit.tokenBucket(amount, limit.window()).burst(burst(limit));
          case LEAKY_BUCKET -> Limit.leakyBucket(amount, limit.window()).burst(burst(limit));
          case QUOTA -> throw new IllegalArgumentException("a quota is no algorithm: " + limit);
        };
    Limit whole = limit.countsDenied() ? made.countingDenied() : made;
    return limit.name().isEmpty() ? whole : whole.named(limit.name());
  }

  private static long burst(Limit limit) {
    return limit.kind().isBucket() ? limit.capacity() : limit.amount();
  }

  /** The words that an algorithm can be chosen by, for help and completion. */
  public static List<String> words() {
    return Arrays.asList(
        (ALL + "," + KINDS.stream().map(Limit.Kind::word).collect(Collectors.joining(",")))
            .split(",", -1));
  }

  /** The same, as a shell offers them. */
  public static final class Words implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return words().iterator();
    }
  }

  /** Those for one algorithm. */
  public static final class Kinds implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return KINDS.stream().map(Limit.Kind::word).iterator();
    }
  }
}
