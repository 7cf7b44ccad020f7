package dev.stint.model;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Both fixed windows: where the window starts, and how much was counted in it. */
record WindowAccount(long start, long count) implements Account {

  static WindowAccount open(Terms terms, long now, long n) {
    return new WindowAccount(startOfNew(terms, now), n);
  }

  private static long startOfNew(Terms terms, long now) {
    return isAligned(terms)
        ? Math.floorDiv(now, terms.window()) * terms.window()
        : Math.min(now, Terms.END - terms.window());
  }

  private static boolean isAligned(Terms terms) {
    return terms.kind() == Terms.Kind.FIXED_WINDOW;
  }

  @Override
  public boolean isAhead(Terms terms, long now) {
    return start > now + terms.window();
  }

  @Override
  public Account shift(Terms terms, long now) {
    return new WindowAccount(startOfNew(terms, now), count);
  }

  @Override
  public @Nullable Account at(Terms terms, long now) {
    return now >= start + terms.window() ? null : this;
  }

  @Override
  public long used(Terms terms, long now) {
    return count;
  }

  @Override
  public long resetAt(Terms terms) {
    return Math.min(start + terms.window(), Terms.END);
  }

  /** A window of the clock does not move. */
  @Override
  public Account set(Terms terms, long now, long n) {
    return isAligned(terms) ? new WindowAccount(start, n) : open(terms, now, n);
  }

  @Override
  public long room(Terms terms, long now) {
    return Terms.MOST - count;
  }

  @Override
  public Account charge(Terms terms, long now, long n) {
    return new WindowAccount(start, Terms.sum(count, n));
  }

  @Override
  public BigInteger stamp(Terms terms) {
    return BigInteger.valueOf(start);
  }

  @Override
  public Account giveBack(Terms terms, long now, long n) {
    return new WindowAccount(start, Math.max(0, count - n));
  }

  @Override
  public Account giveBack(Terms terms, long now, long n, BigInteger stamp) {
    return stamp(terms).equals(stamp) ? giveBack(terms, now, n) : this;
  }
}
