package dev.stint.model;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the model remembers of one limit on one key. Nothing remembered is {@code null}.
 *
 * <p>Questions change nothing. A deed answers the account that replaces this one, which must not be
 * used again. Both are put to an account that has been brought up to the moment, by {@link #shift}
 * and {@link #at}.
 */
interface Account {

  /**
   * An account opened at {@code now} by {@code n} units; {@code null} where that leaves nothing to
   * remember.
   */
  static @Nullable Account open(Terms terms, long now, long n) {
    return switch (terms.kind()) {
      case FIXED_WINDOW, FIXED_WINDOW_PER_KEY -> WindowAccount.open(terms, now, n);
      case SLIDING_LOG -> LogAccount.open(terms, now, n);
      case SLIDING_COUNTER -> CounterAccount.open(terms, now, n);
      case TOKEN_BUCKET, LEAKY_BUCKET -> BucketAccount.open(terms, now, n);
      case QUOTA -> QuotaAccount.of(n);
    };
  }

  /** Whether its stamp lies further ahead of now than one window: the clock stepped back. */
  boolean isAhead(Terms terms, long now);

  /**
   * The account of a clock that stepped back by more than a window, moved to where the clock is.
   */
  Account shift(Terms terms, long now);

  /**
   * The account as it stands at {@code now} if nobody comes before; {@code null} when nothing of it
   * is left.
   */
  @Nullable Account at(Terms terms, long now);

  /** Units in use. */
  long used(Terms terms, long now);

  /** Whether {@code cost} more units have room. */
  default boolean fits(Terms terms, long now, long cost) {
    return used(terms, now) + cost <= terms.capacity();
  }

  /**
   * Whether there is a moment at which {@code cost} more units have room, given that they are no
   * more than the capacity.
   */
  default boolean willFit(Terms terms, long now, long cost) {
    return resetAt(terms) != Terms.FOREVER;
  }

  /** Whether {@code cost} units, no more than the capacity, have room where nothing is in use. */
  static boolean fitsWhereNothingIs(Terms terms, long now, long cost) {
    return !terms.kind().isBucket() || BucketAccount.endsInTime(terms, now, cost);
  }

  /** How many whole units a denied hit can still add. */
  long room(Terms terms, long now);

  /** The same where nothing is remembered. */
  static long roomWhereNothingIs(Terms terms, long now) {
    return switch (terms.kind()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> BucketAccount.roomWhereNothingIs(terms, now);
      case QUOTA -> terms.amount();
      default -> Terms.MOST;
    };
  }

  /** The account in which {@code n} units are in use, as a user has set it. */
  default @Nullable Account set(Terms terms, long now, long n) {
    return open(terms, now, n);
  }

  /** The first moment at which it is as good as absent. */
  long resetAt(Terms terms);

  /** Adds {@code n} units, whether they fit or not. */
  Account charge(Terms terms, long now, long n);

  /** What a charge made a moment ago needs to be found again. */
  BigInteger stamp(Terms terms);

  /** Gives back {@code n} units of the present state. */
  @Nullable Account giveBack(Terms terms, long now, long n);

  /**
   * Gives back what is left of one charge; answers {@code this} when there is nothing left of it.
   */
  @Nullable Account giveBack(Terms terms, long now, long n, BigInteger stamp);

  /**
   * The definition of every wait: the shortest time after which {@code cost} fits if nobody else
   * comes, {@link Terms#FOREVER} if it never does. Units in use never grow by waiting, so halving
   * finds it.
   */
  static long waitFor(@Nullable Account account, Terms terms, long now, long cost) {
    if (cost > terms.capacity()) {
      return Terms.FOREVER;
    }
    if (account == null) {
      return fitsWhereNothingIs(terms, now, cost) ? 0 : Terms.FOREVER;
    }
    if (account.fits(terms, now, cost)) {
      return 0;
    }
    if (!account.willFit(terms, now, cost)) {
      return Terms.FOREVER;
    }
    long tooShort = 0;
    long enough = account.resetAt(terms) - now;
    while (enough - tooShort > 1) {
      long middle = tooShort + (enough - tooShort) / 2;
      Account then = account.at(terms, now + middle);
      if (then == null || then.fits(terms, now + middle, cost)) {
        enough = middle;
      } else {
        tooShort = middle;
      }
    }
    return enough;
  }
}
