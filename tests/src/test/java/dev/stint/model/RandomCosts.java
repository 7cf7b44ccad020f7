package dev.stint.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Draws costs: mostly 1, some up to the limit, often just what is left or one more, now and then
 * absurd ones.
 */
final class RandomCosts {
  private static final List<Long> EXTREMES =
      List.of(1L << 31, (1L << 53) - 1, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE);

  private final Dice dice;
  private final Map<Terms.Identity, Long> left = new HashMap<>();

  RandomCosts(Dice dice) {
    this.dice = dice;
  }

  /** Remembers what is left, so that later costs come close to it. */
  void listen(Answer answer) {
    for (Answer.Own own : answer.limits()) {
      left.put(own.terms().identity(), own.remaining());
    }
  }

  long cost(Terms terms) {
    long most = terms.capacity();
    if (most > 50 && dice.chance(30)) {
      return dice.between(most / 50, most);
    }
    return switch (dice.weighted(480, 80, 120, 110, 110, 40, 15, 20, 10)) {
      case 0 -> 1;
      case 1 -> dice.between(1, Math.min(most, 5));
      case 2 -> dice.logUniform(1, most);
      case 3 -> Math.max(1, left.getOrDefault(terms.identity(), most));
      case 4 -> 1 + left.getOrDefault(terms.identity(), most);
      case 5 -> most;
      case 6 -> most + 1;
      case 7 -> Math.max(1, most - dice.between(0, 3));
      default -> dice.of(EXTREMES);
    };
  }

  /** For {@code set}, which may also be nothing. */
  long count(Terms terms) {
    return dice.chance(25) ? 0 : cost(terms);
  }
}
