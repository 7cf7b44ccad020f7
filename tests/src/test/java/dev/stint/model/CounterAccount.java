package dev.stint.model;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The sliding counter: where the present bucket starts, and the units of the bucket before it and
 * of its own.
 */
record CounterAccount(long start, long previous, long current) implements Account {

  static CounterAccount open(Terms terms, long now, long n) {
    return new CounterAccount(Math.min(now, lastStart(terms)), 0, n);
  }

  /** No bucket starts later, so that its hits can be remembered for two windows. */
  private static long lastStart(Terms terms) {
    return Terms.END - 2 * terms.window();
  }

  /**
   * The finest of a microsecond, a millisecond and a second that divides the window and keeps
   * amount times window below 2^53.
   */
  private static long unit(Terms terms) {
    for (long unit = 1; unit <= 1_000_000; unit *= 1_000) {
      boolean divides = terms.window() % unit == 0;
      if (divides && terms.amount() <= Terms.MOST / (terms.window() / unit)) {
        return unit;
      }
    }
    throw new IllegalArgumentException("amount times window must stay below 2^53: " + terms);
  }

  /** Whether a limit of this kind may have these numbers at all. */
  static boolean permits(long amount, long window) {
    try {
      unit(Terms.of(Terms.Kind.SLIDING_COUNTER, amount, window));
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  @Override
  public boolean isAhead(Terms terms, long now) {
    return start > now + terms.window();
  }

  @Override
  public Account shift(Terms terms, long now) {
    return new CounterAccount(now, previous, current);
  }

  @Override
  public @Nullable Account at(Terms terms, long now) {
    if (now >= resetAt(terms)) {
      return null;
    }
    long next = start + terms.window();
    boolean nextBucket = now >= next && next <= lastStart(terms);
    return nextBucket ? new CounterAccount(start + terms.window(), current, 0) : this;
  }

  @Override
  public long used(Terms terms, long now) {
    long unit = unit(terms);
    BigInteger window = BigInteger.valueOf(terms.window() / unit);
    long elapsedMicros = Math.min(Math.max(0, now - start), terms.window());
    BigInteger elapsed = BigInteger.valueOf(elapsedMicros / unit);
    BigInteger weighed =
        BigInteger.valueOf(previous).multiply(window.subtract(elapsed)).divide(window);
    return Terms.sum(current, weighed.longValueExact());
  }

  @Override
  public long resetAt(Terms terms) {
    return start + terms.window() * (current > 0 ? 2 : 1);
  }

  @Override
  public long room(Terms terms, long now) {
    return Terms.MOST - current;
  }

  @Override
  public Account charge(Terms terms, long now, long n) {
    return new CounterAccount(start, previous, Terms.sum(current, n));
  }

  @Override
  public BigInteger stamp(Terms terms) {
    return BigInteger.valueOf(start);
  }

  @Override
  public Account giveBack(Terms terms, long now, long n) {
    long fromCurrent = Math.min(n, current);
    long fromPrevious = Math.min(n - fromCurrent, previous);
    return new CounterAccount(start, previous - fromPrevious, current - fromCurrent);
  }

  @Override
  public Account giveBack(Terms terms, long now, long n, BigInteger stamp) {
    long charged = stamp.longValueExact();
    if (start == charged) {
      return new CounterAccount(start, previous, Math.max(0, current - n));
    }
    if (start == charged + terms.window()) {
      return new CounterAccount(start, Math.max(0, previous - n), current);
    }
    return this;
  }
}
