package dev.stint.model;

import static java.math.BigInteger.ZERO;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Token and leaky bucket: the instant at which the bucket will be empty, nothing else.
 *
 * <p>With amount L and window W one unit leaves each W/L microseconds, which is no whole number.
 * The instant is therefore counted in L-ths of a microsecond: there a unit takes exactly W, a
 * microsecond exactly L, and nothing is ever rounded. {@code parts} remembers the L it was counted
 * in, because the amount may change.
 */
record BucketAccount(BigInteger instant, long parts) implements Account {

  static @Nullable Account open(Terms terms, long now, long n) {
    return n == 0
        ? null
        : new BucketAccount(inParts(terms, now), terms.amount()).charge(terms, now, n);
  }

  /** Whether {@code cost} units that are charged now have left before the last moment. */
  static boolean endsInTime(Terms terms, long now, long cost) {
    return inParts(terms, now).add(time(terms, cost)).compareTo(inParts(terms, Terms.END)) < 0;
  }

  static long roomWhereNothingIs(Terms terms, long now) {
    return most(terms, now).divide(BigInteger.valueOf(terms.window())).longValueExact();
  }

  /** The most that can be owed at this moment, as the time it takes to leave. */
  private static BigInteger most(Terms terms, long now) {
    return time(terms, Math.addExact(terms.capacity(), terms.amount()))
        .min(inParts(terms, Terms.END - now));
  }

  /** A moment in L-ths of a microsecond. */
  private static BigInteger inParts(Terms terms, long micros) {
    return BigInteger.valueOf(micros).multiply(BigInteger.valueOf(terms.amount()));
  }

  /** How long {@code n} units take to leave, in L-ths of a microsecond. */
  private static BigInteger time(Terms terms, long n) {
    return BigInteger.valueOf(n).multiply(BigInteger.valueOf(terms.window()));
  }

  private static BigInteger roundedUp(BigInteger dividend, long divisor) {
    BigInteger[] parts = dividend.divideAndRemainder(BigInteger.valueOf(divisor));
    return parts[1].signum() > 0 ? parts[0].add(BigInteger.ONE) : parts[0];
  }

  /**
   * The instant under these terms. After a change of amount whole microseconds stay, and a rest of
   * f k-ths (W/L in lowest terms has denominator k) is read as f of the new k-ths, or as the most
   * there are.
   */
  private BigInteger instant(Terms terms) {
    if (parts == terms.amount()) {
      return instant;
    }
    BigInteger window = BigInteger.valueOf(terms.window());
    BigInteger before = BigInteger.valueOf(parts);
    BigInteger after = BigInteger.valueOf(terms.amount());
    BigInteger[] wholeAndRest = instant.divideAndRemainder(before);
    BigInteger rest = wholeAndRest[1].divide(before.gcd(window));
    BigInteger mostRest = after.divide(after.gcd(window)).subtract(BigInteger.ONE);
    return wholeAndRest[0].multiply(after).add(rest.min(mostRest).multiply(after.gcd(window)));
  }

  private BucketAccount with(Terms terms, BigInteger newInstant) {
    return new BucketAccount(newInstant, terms.amount());
  }

  private BigInteger left(Terms terms, long now) {
    return instant(terms).subtract(inParts(terms, now)).max(ZERO);
  }

  @Override
  public boolean isAhead(Terms terms, long now) {
    BigInteger stamp = instant(terms).subtract(time(terms, terms.capacity()));
    return stamp.compareTo(inParts(terms, now + terms.window())) > 0;
  }

  @Override
  public Account shift(Terms terms, long now) {
    return with(terms, inParts(terms, now).add(time(terms, terms.capacity())));
  }

  @Override
  public @Nullable Account at(Terms terms, long now) {
    return left(terms, now).signum() == 0 ? null : this;
  }

  @Override
  public long used(Terms terms, long now) {
    return roundedUp(left(terms, now), terms.window()).longValueExact();
  }

  /** The level itself must leave room, not the level rounded up. */
  @Override
  public boolean fits(Terms terms, long now, long cost) {
    BigInteger filled = left(terms, now).add(time(terms, cost));
    return filled.compareTo(time(terms, terms.capacity())) <= 0 && willFit(terms, now, cost);
  }

  /** What is charged on top must have left before the last moment; waiting does not help there. */
  @Override
  public boolean willFit(Terms terms, long now, long cost) {
    BigInteger end = inParts(terms, now).add(left(terms, now)).add(time(terms, cost));
    return end.compareTo(inParts(terms, Terms.END)) < 0;
  }

  @Override
  public long room(Terms terms, long now) {
    BigInteger room = most(terms, now).subtract(left(terms, now)).max(ZERO);
    return room.divide(BigInteger.valueOf(terms.window())).longValueExact();
  }

  @Override
  public long resetAt(Terms terms) {
    return roundedUp(instant(terms), terms.amount()).longValueExact();
  }

  @Override
  public Account charge(Terms terms, long now, long n) {
    BigInteger from = inParts(terms, now);
    return with(terms, from.add(left(terms, now).add(time(terms, n)).min(most(terms, now))));
  }

  @Override
  public BigInteger stamp(Terms terms) {
    return instant(terms);
  }

  @Override
  public @Nullable Account giveBack(Terms terms, long now, long n) {
    return giveBack(terms, now, time(terms, n));
  }

  @Override
  public @Nullable Account giveBack(Terms terms, long now, long n, BigInteger stamp) {
    BigInteger notYetLeaked = stamp.subtract(inParts(terms, now)).max(ZERO);
    return giveBack(terms, now, notYetLeaked.min(time(terms, n)));
  }

  private @Nullable Account giveBack(Terms terms, long now, BigInteger time) {
    return with(terms, instant(terms).subtract(time)).at(terms, now);
  }
}
