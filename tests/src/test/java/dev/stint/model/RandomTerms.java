package dev.stint.model;

import dev.stint.model.Terms.Kind;
import java.util.List;

/**
 * Draws limits: every order of magnitude that is permitted, and the odd ones that are known to be
 * awkward.
 */
final class RandomTerms {
  static final long YEAR = 365L * 24 * 3_600 * 1_000_000;
  private static final long LONGEST_DRAIN = 100 * YEAR;

  private static final List<Long> COMMON_WINDOWS =
      List.of(
          1_000L,
          1_000_000L,
          3_000_000L,
          60_000_000L,
          3_600_000_000L,
          86_400_000_000L,
          30 * 86_400_000_000L,
          YEAR);
  private static final List<Long> PRIME_WINDOWS =
      List.of(1_009L, 104_729L, 1_299_709L, 15_485_863L, 2_147_483_647L, 1_000_000_000_039L);
  private static final List<Long> ODD_AMOUNTS =
      List.of(
          1L, 2L, 3L, 7L, 30_000L, 300_000L, 999_983L, 1_000_003L, 536_870_909L, 1_000_000_000L);

  private final Dice dice;

  RandomTerms(Dice dice) {
    this.dice = dice;
  }

  Terms draw(Kind kind, String name) {
    long window = kind == Kind.QUOTA ? 0 : window();
    return amountOf(kind, window, name);
  }

  /** The same limit with another amount, or another burst, or counting denied hits or no longer. */
  Terms change(Terms terms) {
    if (dice.chance(30)) {
      long near = Math.max(1, terms.amount() + dice.between(-3, 3));
      return fitted(terms.kind(), near, terms.window(), terms.name());
    }
    return amountOf(terms.kind(), terms.window(), terms.name());
  }

  private Terms amountOf(Kind kind, long window, String name) {
    return fitted(kind, amount(kind), window, name);
  }

  private long window() {
    return switch (dice.weighted(30, 20, 20, 20, 10)) {
      case 0 -> dice.of(COMMON_WINDOWS);
      case 1 -> dice.logUniform(1_000, YEAR);
      case 2 -> 1_000 * dice.logUniform(1, YEAR / 1_000);
      case 3 -> 1_000_000 * dice.logUniform(1, YEAR / 1_000_000);
      default -> dice.of(PRIME_WINDOWS);
    };
  }

  private static boolean isFixedWindow(Kind kind) {
    return kind == Kind.FIXED_WINDOW || kind == Kind.FIXED_WINDOW_PER_KEY;
  }

  private long amount(Kind kind) {
    if (dice.chance(1) && (isFixedWindow(kind) || kind == Kind.QUOTA)) {
      return (1L << 52) - dice.below(2);
    }
    return switch (dice.weighted(40, 35, 25)) {
      case 0 -> dice.logUniform(1, 20);
      case 1 -> dice.logUniform(1, 1_000_000_000);
      default -> dice.of(ODD_AMOUNTS);
    };
  }

  /** The nearest limit to these numbers that is permitted. */
  private Terms fitted(Kind kind, long wanted, long window, String name) {
    long amount = Math.min(wanted, kind == Kind.SLIDING_LOG ? 1_000_000 : 1L << 52);
    while (kind == Kind.SLIDING_COUNTER && !CounterAccount.permits(amount, window)) {
      amount = amount / 2;
    }
    Terms terms = new Terms(kind, amount, window, amount, name, dice.chance(25));
    return kind.isBucket() && dice.chance(40) ? terms.burst(burst(terms)) : terms;
  }

  /** A bucket with burst must still drain within a hundred years: (B + L) W / L. */
  private long burst(Terms terms) {
    long windows = LONGEST_DRAIN / terms.window() - 1;
    long most = windows > 1_000 ? 1_000 * terms.amount() : windows * terms.amount();
    return switch (dice.weighted(40, 30, 30)) {
      case 0 -> dice.logUniform(1, terms.amount());
      case 1 -> dice.logUniform(1, most);
      default -> dice.logUniform(1, Math.min(most, 10 * terms.amount()));
    };
  }
}
