package dev.stint.model;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** A quota: how much of it is spent. Time means nothing to it. */
record QuotaAccount(long count) implements Account {

  static @Nullable Account of(long count) {
    return count == 0 ? null : new QuotaAccount(count);
  }

  @Override
  public boolean isAhead(Terms terms, long now) {
    return false;
  }

  @Override
  public Account shift(Terms terms, long now) {
    return this;
  }

  @Override
  public Account at(Terms terms, long now) {
    return this;
  }

  @Override
  public long used(Terms terms, long now) {
    return count;
  }

  @Override
  public long resetAt(Terms terms) {
    return Terms.FOREVER;
  }

  @Override
  public long room(Terms terms, long now) {
    return Math.max(0, terms.amount() - count);
  }

  @Override
  public Account charge(Terms terms, long now, long n) {
    return new QuotaAccount(Terms.sum(count, n));
  }

  @Override
  public BigInteger stamp(Terms terms) {
    return BigInteger.ZERO;
  }

  @Override
  public @Nullable Account giveBack(Terms terms, long now, long n) {
    return of(Math.max(0, count - n));
  }

  @Override
  public @Nullable Account giveBack(Terms terms, long now, long n, BigInteger stamp) {
    return giveBack(terms, now, n);
  }
}
