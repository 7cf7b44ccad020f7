package dev.stint;

import dev.stint.Limit.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What follows a rate in a rate string. All of it is read before any of it is applied, since the
 * algorithm, on which the rest depends, may come last.
 */
final class RateOptions {
  private static final Set<Kind> ALL = kinds(kind -> true);
  private static final Set<Kind> ALGORITHMS = kinds(kind -> kind != Kind.QUOTA);
  private static final Set<Kind> BUCKETS = kinds(Kind::isBucket);

  private static final List<String> WORDS =
      Stream.concat(
              Stream.of("burst", "named", "counting-denied"), ALGORITHMS.stream().map(Kind::word))
          .toList();

  private final RateCursor in;
  private Kind kind;
  private final Set<String> given = new HashSet<>();
  private final List<Option> options = new ArrayList<>();

  private record Option(int column, String word, Set<Kind> kinds, UnaryOperator<Limit> change) {}

  private RateOptions(RateCursor in, Kind kind) {
    this.in = in;
    this.kind = kind;
  }

  /** Reads up to a separator or the end. {@code kind} is what it is if no algorithm is given. */
  static RateOptions read(RateCursor in, Kind kind) {
    RateOptions options = new RateOptions(in, kind);
    while (!in.atEnd() && !in.atSeparator()) {
      options.option(in.column(), in.peekWord());
    }
    return options;
  }

  /** Makes the limit of the kind that was read, for the rate at {@code column}, and applies all. */
  Limit limit(int column, Function<Kind, Limit> factory) {
    Limit limit = checked(column, () -> factory.apply(kind));
    for (Option option : options) {
      if (!option.kinds.contains(kind)) {
        throw misplaced(option.column, option.word, words(option.kinds));
      }
      Limit before = limit;
      limit = checked(option.column, () -> option.change.apply(before));
    }
    return limit;
  }

  private void option(int column, String word) {
    if (!WORDS.contains(word)) {
      throw word.isEmpty()
          ? in.expected("an option or one of , ; |", listed())
          : in.unknown("option", Spelling.hint(word, WORDS, listed()));
    }
    in.word();
    switch (word) {
      case "burst" -> {
        long capacity = in.number("the burst");
        add(new Option(column, word, BUCKETS, limit -> limit.burst(capacity)));
      }
      case "counting-denied" -> add(new Option(column, word, ALL, Limit::countingDenied));
      case "named" -> {
        String name = name();
        add(new Option(column, word, ALL, limit -> limit.named(name)));
      }
      default -> algorithm(column, word);
    }
  }

  private String name() {
    if (in.atEnd() || in.atSeparator()) {
      throw in.expected("a name", "");
    }
    return in.name();
  }

  private void add(Option option) {
    requireFirst(option.column, option.word, "'" + option.word + "'");
    options.add(option);
  }

  private void algorithm(int column, String word) {
    requireFirst(column, word, "the algorithm");
    if (kind == Kind.QUOTA) {
      throw misplaced(column, word, "a window");
    }
    kind = ALGORITHMS.stream().filter(any -> any.word().equals(word)).findFirst().orElseThrow();
  }

  private void requireFirst(int column, String word, String what) {
    if (!given.add(what)) {
      String again = what + " must be given once, was given again by '" + word + "'";
      throw in.error(column, again, "; remove one");
    }
  }

  private Limit checked(int column, Supplier<Limit> limit) {
    try {
      return limit.get();
    } catch (IllegalArgumentException e) {
      throw in.error(column, e);
    }
  }

  private IllegalArgumentException misplaced(int column, String word, String partners) {
    String sentence = " must go with " + partners + ", was with " + kind.word();
    return in.error(column, "'" + word + "'", sentence);
  }

  private String listed() {
    return kind == Kind.QUOTA
        ? "; options of a quota are named, counting-denied"
        : "; options are " + String.join(", ", WORDS);
  }

  private static String words(Set<Kind> kinds) {
    return kinds.stream().map(Kind::word).collect(Collectors.joining(" or "));
  }

  private static Set<Kind> kinds(Predicate<Kind> belongs) {
    EnumSet<Kind> kinds = EnumSet.allOf(Kind.class);
    kinds.removeIf(belongs.negate());
    return Collections.unmodifiableSet(kinds);
  }
}
